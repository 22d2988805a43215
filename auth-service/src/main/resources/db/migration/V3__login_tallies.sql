-- What is counted before a password is hashed: one row for each account from one network, for each
-- account from everywhere, and for each network, as soon as there is something to count.
CREATE TABLE login_tallies (
    -- A letter for the kind and 128 bits of a digest, see Keys: logins that do not exist, or that are
    -- a password typed into the wrong field, are not to be read here.
    tally_key    VARCHAR(33) NOT NULL PRIMARY KEY,
    -- Wrong guesses in the window.
    failures     INTEGER     NOT NULL,
    -- Guesses that are under way and paid for in advance, see Line.
    reserved     INTEGER     NOT NULL,
    -- All times in milliseconds since 1970. When it is past, both counts are void.
    window_ends  BIGINT      NOT NULL,
    -- The last success on the account from the network, to a day; 0 for none.
    succeeded_at BIGINT      NOT NULL,
    -- When the row says nothing any more and may be deleted.
    expires_at   BIGINT      NOT NULL
);

CREATE INDEX login_tallies_expires_at ON login_tallies (expires_at);
