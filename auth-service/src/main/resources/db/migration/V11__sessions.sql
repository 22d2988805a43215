-- Goes up with everything that ends what a user was granted before: a new password, disabling, an
-- admin's word. Sessions begun under another epoch are over.
ALTER TABLE users ADD COLUMN epoch BIGINT DEFAULT 0 NOT NULL;

CREATE TABLE sessions (
    -- 128 random bits, base64url; it stands in every secret of the session and nowhere else.
    id          VARCHAR(22)              NOT NULL PRIMARY KEY,
    user_id     BIGINT                   NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    user_epoch  BIGINT                   NOT NULL,
    -- SHA-256, base64url, of the one secret that is good for the next refresh.
    secret_hash VARCHAR(43)              NOT NULL,
    started_at  TIMESTAMP WITH TIME ZONE NOT NULL,
    -- However busy it is.
    ends_at     TIMESTAMP WITH TIME ZONE NOT NULL,
    -- Unless it is refreshed; never after ends_at.
    expires_at  TIMESTAMP WITH TIME ZONE NOT NULL
);

CREATE INDEX sessions_expires_at ON sessions (expires_at);

-- Secrets that were good a few seconds ago, and what their successors are derived with.
CREATE TABLE spent_secrets (
    session_id  VARCHAR(22)              NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    secret_hash VARCHAR(43)              NOT NULL,
    salt        VARCHAR(43)              NOT NULL,
    spent_at    TIMESTAMP WITH TIME ZONE NOT NULL,
    PRIMARY KEY (session_id, secret_hash)
);
