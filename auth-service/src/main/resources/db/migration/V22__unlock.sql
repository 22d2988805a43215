-- The account that a row counts wrong guesses for, as its own row's key says it; null for a network's,
-- and for rows that have counted none since this column is there. An unlocking finds its rows by it.
ALTER TABLE login_tallies ADD COLUMN account VARCHAR(33);

CREATE INDEX login_tallies_account ON login_tallies (account);
