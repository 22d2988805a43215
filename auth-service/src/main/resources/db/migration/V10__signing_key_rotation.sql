-- Several keys at once: one that signs, its successor, and those whose tokens still run.

ALTER TABLE signing_keys DROP CONSTRAINT signing_keys_algorithm_unique;

-- 1, 2, 3...: the highest whose time has come signs.
ALTER TABLE signing_keys ADD COLUMN generation BIGINT;
ALTER TABLE signing_keys ADD COLUMN published_at TIMESTAMP WITH TIME ZONE;
-- By then every verifier has fetched it.
ALTER TABLE signing_keys ADD COLUMN signs_from TIMESTAMP WITH TIME ZONE;
-- By then its last token has ended; known once there is a successor.
ALTER TABLE signing_keys ADD COLUMN retired_at TIMESTAMP WITH TIME ZONE;

UPDATE signing_keys SET
    published_at = created_at,
    signs_from = created_at,
    generation = (SELECT COUNT(*) FROM signing_keys other
        WHERE other.created_at < signing_keys.created_at
            OR (other.created_at = signing_keys.created_at AND other.kid <= signing_keys.kid));
-- A database could hold one key for each algorithm; a token lives for a day at most.
UPDATE signing_keys SET retired_at = CURRENT_TIMESTAMP + INTERVAL '1' DAY
    WHERE generation < (SELECT MAX(generation) FROM signing_keys);

ALTER TABLE signing_keys DROP COLUMN created_at;
ALTER TABLE signing_keys ALTER COLUMN generation SET NOT NULL;
ALTER TABLE signing_keys ALTER COLUMN published_at SET NOT NULL;
ALTER TABLE signing_keys ALTER COLUMN signs_from SET NOT NULL;
-- Of several instances that add a key at once, the first to insert decides for all.
ALTER TABLE signing_keys ADD CONSTRAINT signing_keys_generation_unique UNIQUE (generation);
