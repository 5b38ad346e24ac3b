-- What tells this log from every other: replicas of another one are not to be mixed with it.
CREATE TABLE log (
    identity BLOB NOT NULL CHECK (length(identity) = 16)
) STRICT;

INSERT INTO log (identity) VALUES (randomblob(16));

-- The documents of rooms as they were at some event. They follow from the log, and are only sooner there.
CREATE TABLE room_snapshots (
    -- The room's name, or @inbox for all rooms.
    room     TEXT    PRIMARY KEY,
    -- The number of the last event it shows.
    through  INTEGER NOT NULL,
    document BLOB    NOT NULL
) STRICT;
