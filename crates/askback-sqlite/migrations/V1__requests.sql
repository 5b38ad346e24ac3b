-- Requests, and the log of what became of them.

CREATE TABLE requests (
    -- The number of the event that created it: the order in which requests were made.
    number       INTEGER PRIMARY KEY,
    id           BLOB    NOT NULL UNIQUE,
    room         TEXT    NOT NULL,
    asker        TEXT    NOT NULL,
    -- 0 pending, 1 answered, 2 declined, 3 cancelled, 4 expired
    status       INTEGER NOT NULL,
    -- The number of the event that ended it, which has the outcome.
    ended        INTEGER,
    -- Microseconds since 1970, as every time here.
    created_at   INTEGER NOT NULL,
    deadline     INTEGER,
    -- When its asker was last seen waiting for it.
    waited_at    INTEGER NOT NULL,
    -- When its outcome was handed to an asker that may ask the same again.
    delivered_at INTEGER,
    -- Asking twice with one key is asking once.
    key          TEXT,
    -- What is asked, for askers without a key that may ask the same again.
    fingerprint  BLOB,
    request      TEXT    NOT NULL
) STRICT;

-- Whatever is looked for, the newest is found first. What is at the end of an index is there to be filtered by.
CREATE INDEX requests_by_status ON requests (status, number, asker);
CREATE INDEX requests_by_room ON requests (room, status, number, asker);
-- Only what is pending: an index over all askers' past would be written to in as many places as there are askers.
CREATE INDEX requests_pending_by_asker ON requests (asker, number, room) WHERE status = 0;
CREATE INDEX requests_by_deadline ON requests (deadline) WHERE status = 0 AND deadline IS NOT NULL;
CREATE UNIQUE INDEX requests_by_key ON requests (asker, room, key) WHERE key IS NOT NULL;
CREATE INDEX requests_by_fingerprint ON requests (asker, room, fingerprint, number) WHERE fingerprint IS NOT NULL;

-- The audit log, numbered in the order of commits, without gaps.
CREATE TABLE events (
    number         INTEGER PRIMARY KEY,
    request        INTEGER NOT NULL REFERENCES requests (number),
    -- The status that the request came to.
    status         INTEGER NOT NULL,
    at             INTEGER NOT NULL,
    by             TEXT    NOT NULL,
    outcome        TEXT,
    -- The answerer's key: resolving twice with one key is resolving once.
    resolution_key TEXT
) STRICT;

-- A request begins once and ends once, whatever the code above believes.
CREATE UNIQUE INDEX events_once ON events (request, (status <> 0));
