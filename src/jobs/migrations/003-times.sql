-- When it happened on the code host: a stop that is told of late does not hold for what was asked for after it.
ALTER TABLE fathom.inbox ADD COLUMN happened timestamptz;
ALTER TABLE fathom.stop ADD COLUMN happened timestamptz;

-- When an end is to be told again that could not be told.
ALTER TABLE fathom.run ADD COLUMN tell_after timestamptz;
