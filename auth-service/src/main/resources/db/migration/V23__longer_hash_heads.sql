-- Hashes of other kinds than bcrypt count by algorithm and parameters.
ALTER TABLE hash_heads ALTER COLUMN head SET DATA TYPE VARCHAR(80);
