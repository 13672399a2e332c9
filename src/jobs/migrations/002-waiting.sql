-- Who asked for the run: bots are counted by it. Empty for runs of older versions.
ALTER TABLE fathom.run ADD COLUMN actor text;
CREATE INDEX run_actor ON fathom.run (actor, created_at);

-- False while the issue still has to be told of the run's end.
ALTER TABLE fathom.run ADD COLUMN told boolean NOT NULL DEFAULT true;
CREATE INDEX run_untold ON fathom.run (ended_at) WHERE NOT told;

-- Requests that wait for their turn and have been looked at, one of each issue, with the run that would be made of it and
-- the position in the queue that its comment shows; none where nothing is shown, since whoever asked may not.
CREATE TABLE fathom.waiting (
  issue_key text PRIMARY KEY,
  entry_id bigint NOT NULL,
  run text NOT NULL,
  position integer,
  shown_at timestamptz NOT NULL DEFAULT now()
);
