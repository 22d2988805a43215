-- Whoever was given the group admin, so that the last of them is found without a scan of all users.
-- It says who may be an admin; whether one is, their row in users says.
CREATE TABLE admins (
    user_id BIGINT NOT NULL PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE
);

INSERT INTO admins (user_id)
    SELECT id FROM users WHERE ' ' || group_names || ' ' LIKE '% admin %';
