CREATE TABLE signing_keys (
    -- RFC 7638 thumbprint.
    kid        VARCHAR(64)              NOT NULL PRIMARY KEY,
    algorithm  VARCHAR(16)              NOT NULL,
    -- The private key and the public key, in clear: guard this table as you guard a key file.
    pem        VARCHAR(8192)            NOT NULL,
    created_at TIMESTAMP WITH TIME ZONE NOT NULL,
    -- Of several instances that start at once, the first to insert decides for all.
    CONSTRAINT signing_keys_algorithm_unique UNIQUE (algorithm)
);
