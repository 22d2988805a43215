-- Name of the key, kept elsewhere, that pem is encrypted with; null for pem in clear.
ALTER TABLE signing_keys ADD COLUMN sealed_with VARCHAR(64);
