-- What is to be delivered to whoever is not here, as it follows from the log.

CREATE TABLE hooks (
    name     TEXT    PRIMARY KEY,
    -- The last event that was put into its outbox.
    position INTEGER NOT NULL,
    -- How many wait there, so that nobody has to count them.
    waiting  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE outbox (
    -- Never given twice: what is settled late settles nothing else.
    number   INTEGER PRIMARY KEY AUTOINCREMENT,
    hook     TEXT    NOT NULL REFERENCES hooks (name),
    event    INTEGER NOT NULL REFERENCES events (number),
    attempts INTEGER NOT NULL,
    -- Microseconds since 1970.
    due_at   INTEGER NOT NULL
) STRICT;

-- An event waits once for each hook, whatever the code above believes.
CREATE UNIQUE INDEX outbox_once ON outbox (hook, event);
CREATE INDEX outbox_by_due ON outbox (hook, due_at);
