-- What spilling has cost, by all instances, as they measure it: a row for each hour since 1970.
CREATE TABLE spill_spend (
    utc_hour    BIGINT NOT NULL PRIMARY KEY,
    -- Billionths of the currency that the configuration's prices are in.
    spent_nanos BIGINT NOT NULL,
    calls       BIGINT NOT NULL
);

-- One row: whether an admin has stopped all spilling.
CREATE TABLE spill_switch (
    only_row   INTEGER NOT NULL PRIMARY KEY CHECK (only_row = 1),
    stopped    INTEGER NOT NULL,
    -- In milliseconds since 1970.
    changed_at BIGINT  NOT NULL
);

INSERT INTO spill_switch (only_row, stopped, changed_at) VALUES (1, 0, 0);
