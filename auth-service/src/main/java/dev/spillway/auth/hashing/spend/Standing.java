package dev.spillway.auth.hashing.spend;

/** What is known of those who ask for a hash, from the best to the worst. */
public enum Standing {
  /** A success on this account from this network, lately. */
  AT_HOME,
  /** No wrong guess on this account or from this network, lately. */
  UNSUSPECTED,
  /** A few wrong guesses on this account or from this network. */
  DOUBTED,
  /** Many. */
  SUSPECT
}
