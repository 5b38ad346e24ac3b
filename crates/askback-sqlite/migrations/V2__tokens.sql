-- Who may do what. A secret is nowhere in here, only its hash.

CREATE TABLE tokens (
    -- Never given twice, so that a number that is gone means nobody else.
    number     INTEGER PRIMARY KEY AUTOINCREMENT,
    -- SHA-256 of the secret.
    hash       BLOB    NOT NULL UNIQUE,
    -- token, session, login
    purpose    TEXT    NOT NULL,
    -- asker, answerer, admin
    role       TEXT    NOT NULL,
    name       TEXT    NOT NULL,
    room       TEXT,
    -- The token that issued it, and with which it ends.
    parent     INTEGER,
    -- Microseconds since 1970.
    created_at INTEGER NOT NULL,
    expires_at INTEGER
) STRICT;
