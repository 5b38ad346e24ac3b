-- The node that delivers to a hook, and until when. The fence rises whenever the hook passes to another node: a delivery of the
-- node before is then settled no more.
ALTER TABLE hooks ADD COLUMN holder BLOB;
ALTER TABLE hooks ADD COLUMN leased_until INTEGER NOT NULL DEFAULT 0;
ALTER TABLE hooks ADD COLUMN fence INTEGER NOT NULL DEFAULT 0;

-- Whether the data directory of the hub's machine holds the secret: a lost credential is replaced, not joined by another one.
ALTER TABLE tokens ADD COLUMN is_local INTEGER NOT NULL DEFAULT 0;

-- A hub issues its local credentials first, the asker's and then the person's. An asker with the same name can only be one that
-- was issued again after the file was lost.
UPDATE tokens SET is_local = 1
    WHERE purpose = 'token' AND room IS NULL AND parent IS NULL AND expires_at IS NULL
      AND EXISTS (SELECT 1 FROM tokens AS first
                  WHERE first.number IN (1, 2) AND first.purpose = 'token' AND first.role = tokens.role
                    AND first.role <> 'answerer' AND first.name = tokens.name
                    AND (first.number = tokens.number OR first.role = 'asker'));
