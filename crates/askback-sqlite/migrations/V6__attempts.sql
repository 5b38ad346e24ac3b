-- The attempt to write that made each event: a write that is repeated because its reply was lost finds its own event.
ALTER TABLE events ADD COLUMN attempt BLOB;

-- The version of the tokens, raised by every change of theirs: a node that has read an older one reads them again.
ALTER TABLE log ADD COLUMN tokens_version INTEGER NOT NULL DEFAULT 0;
