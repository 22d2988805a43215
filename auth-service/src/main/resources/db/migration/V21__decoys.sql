-- How many users have a stored hash that begins like this, counted with each change of a hash: what
-- decoys cost follows from it. Seven characters of what looks like bcrypt's, empty for all others.
CREATE TABLE hash_heads (
    head  VARCHAR(7) NOT NULL PRIMARY KEY,
    users BIGINT     NOT NULL
);

INSERT INTO hash_heads (head, users)
    SELECT head, COUNT(*)
    FROM (SELECT CASE WHEN password_hash LIKE '$2_$__$%' THEN SUBSTRING(password_hash, 1, 7) ELSE '' END AS head
        FROM users) AS heads
    GROUP BY head;

-- One row: what the choice of a decoy is keyed with, base64, so that all instances choose the same.
CREATE TABLE decoy_key (
    only_row INTEGER     NOT NULL PRIMARY KEY CHECK (only_row = 1),
    secret   VARCHAR(44) NOT NULL
);
