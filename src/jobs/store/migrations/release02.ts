/** The migrations of svc 0.2, the first release; never edited. */
export const MIGRATIONS_OF_0_2: readonly string[] = [
  `
  -- the kernel's own tables
  CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE actors (
    id TEXT PRIMARY KEY, chart TEXT NOT NULL, version INTEGER NOT NULL, snapshot TEXT NOT NULL,
    generation INTEGER NOT NULL, seq INTEGER NOT NULL, frame_seq INTEGER NOT NULL,
    label TEXT NOT NULL, kind TEXT NOT NULL, parent TEXT, slot INTEGER NOT NULL, waiting_since INTEGER,
    activity TEXT NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, since INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX actors_slot ON actors (slot) WHERE slot = 1;
  CREATE INDEX actors_waiting ON actors (waiting_since, id) WHERE waiting_since IS NOT NULL;
  CREATE INDEX actors_parent ON actors (parent, created_at, id) WHERE parent IS NOT NULL;
  CREATE INDEX actors_created ON actors (chart, created_at, id);
  CREATE INDEX actors_label ON actors (chart, label, created_at, id);
  CREATE INDEX actors_kind ON actors (chart, kind, created_at, id);
  CREATE INDEX actors_activity ON actors (activity);
  CREATE TABLE journal (
    actor TEXT NOT NULL, seq INTEGER NOT NULL, at INTEGER NOT NULL, event TEXT NOT NULL, path TEXT NOT NULL,
    effects TEXT NOT NULL, note INTEGER NOT NULL, PRIMARY KEY (actor, seq)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE blobs (hash TEXT PRIMARY KEY, body TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE outbox (
    effect_id TEXT PRIMARY KEY, actor TEXT NOT NULL, seq INTEGER NOT NULL, type TEXT NOT NULL, params TEXT NOT NULL,
    attempt INTEGER NOT NULL, started_seq INTEGER NOT NULL, clean_stop INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX outbox_actor ON outbox (actor);
  CREATE TABLE timers (
    actor TEXT NOT NULL, name TEXT NOT NULL, due INTEGER NOT NULL, event TEXT NOT NULL, PRIMARY KEY (actor, name)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX timers_due ON timers (due);
  CREATE TABLE inbox (
    actor TEXT NOT NULL, source TEXT NOT NULL, external_id TEXT NOT NULL, at INTEGER NOT NULL, seq INTEGER NOT NULL,
    PRIMARY KEY (actor, source, external_id)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE mail (id TEXT PRIMARY KEY, receiver TEXT NOT NULL, event TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE frames (
    actor TEXT NOT NULL, n INTEGER NOT NULL, at INTEGER NOT NULL, kind TEXT NOT NULL, data TEXT NOT NULL,
    PRIMARY KEY (actor, n)
  ) STRICT, WITHOUT ROWID;

  -- what belongs to a job and grows with its life
  CREATE TABLE inbox_items (
    job_id TEXT NOT NULL, n INTEGER NOT NULL, id TEXT NOT NULL, at INTEGER NOT NULL, kind TEXT NOT NULL,
    author TEXT NOT NULL, text TEXT NOT NULL, pr_id TEXT, url TEXT, PRIMARY KEY (job_id, n)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE pr_mappings (
    forge TEXT NOT NULL, repo TEXT NOT NULL, number INTEGER NOT NULL, job_id TEXT NOT NULL, pr_id TEXT NOT NULL,
    title TEXT NOT NULL, head TEXT NOT NULL, base TEXT NOT NULL, url TEXT NOT NULL, state TEXT NOT NULL,
    work_item TEXT, merged_at TEXT, PRIMARY KEY (forge, repo, number)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX pr_mappings_job ON pr_mappings (job_id);
  CREATE TABLE insights (
    job_id TEXT NOT NULL, id TEXT NOT NULL, at INTEGER NOT NULL, phase TEXT NOT NULL, category TEXT NOT NULL,
    text TEXT NOT NULL, PRIMARY KEY (job_id, id)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE artefacts (
    job_id TEXT NOT NULL, id TEXT NOT NULL, at INTEGER NOT NULL, phase TEXT NOT NULL, visit INTEGER NOT NULL,
    kind TEXT NOT NULL, title TEXT NOT NULL, mime TEXT NOT NULL, size INTEGER NOT NULL, sha256 TEXT NOT NULL,
    PRIMARY KEY (job_id, id)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE token_usage (
    job_id TEXT NOT NULL, visit INTEGER NOT NULL, session INTEGER NOT NULL, phase TEXT NOT NULL,
    input_tokens INTEGER NOT NULL, output_tokens INTEGER NOT NULL, cached_input_tokens INTEGER NOT NULL,
    PRIMARY KEY (job_id, visit, session)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE phase_visits (
    job_id TEXT NOT NULL, visit INTEGER NOT NULL, phase TEXT NOT NULL, status TEXT NOT NULL, started_at INTEGER NOT NULL,
    ended_at INTEGER, sessions INTEGER NOT NULL, overlay_hash TEXT, outcome TEXT, approved_by TEXT,
    PRIMARY KEY (job_id, visit)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE tool_answers (
    job_id TEXT NOT NULL, key TEXT NOT NULL, ok INTEGER NOT NULL, result TEXT NOT NULL, PRIMARY KEY (job_id, key)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE deprecated_uses (name TEXT PRIMARY KEY, uses INTEGER NOT NULL, last_used_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE requests (
    key TEXT PRIMARY KEY, body_hash TEXT NOT NULL, job_id TEXT NOT NULL, reply TEXT NOT NULL, at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  -- the local forge
  CREATE TABLE forge_prs (
    repo TEXT NOT NULL, number INTEGER NOT NULL, operation_id TEXT NOT NULL UNIQUE, title TEXT NOT NULL, body TEXT NOT NULL,
    head TEXT NOT NULL, base TEXT NOT NULL, author TEXT NOT NULL, state TEXT NOT NULL, work_item TEXT,
    created_at INTEGER NOT NULL, merged_at INTEGER, merge_commit TEXT, merged_by TEXT, merge_operation_id TEXT,
    PRIMARY KEY (repo, number)
  ) STRICT, WITHOUT ROWID;
  CREATE UNIQUE INDEX forge_prs_open ON forge_prs (repo, head, base) WHERE state = 'open';
  CREATE TABLE forge_comments (
    repo TEXT NOT NULL, number INTEGER NOT NULL, id TEXT NOT NULL, operation_id TEXT NOT NULL UNIQUE, author TEXT NOT NULL,
    body TEXT NOT NULL, in_reply_to TEXT, at INTEGER NOT NULL, PRIMARY KEY (repo, number, id)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE forge_reviews (
    repo TEXT NOT NULL, number INTEGER NOT NULL, author TEXT NOT NULL, operation_id TEXT NOT NULL, at INTEGER NOT NULL,
    PRIMARY KEY (repo, number, author)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  DROP INDEX actors_activity;
  CREATE INDEX actors_activity ON actors (chart, activity);
  CREATE TABLE sub_runs (
    parent TEXT NOT NULL, name TEXT NOT NULL, n INTEGER NOT NULL, description TEXT NOT NULL, params TEXT NOT NULL,
    depends_on TEXT NOT NULL, tracker_ref TEXT, job_id TEXT, attempt INTEGER NOT NULL, status TEXT NOT NULL, reason TEXT,
    started_at INTEGER, completed_at INTEGER, PRIMARY KEY (parent, name)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE sibling_insights (
    job_id TEXT NOT NULL, n INTEGER NOT NULL, sub_run TEXT NOT NULL, id TEXT NOT NULL, at INTEGER NOT NULL, phase TEXT NOT NULL,
    category TEXT NOT NULL, text TEXT NOT NULL, PRIMARY KEY (job_id, n)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  ALTER TABLE inbox_items ADD COLUMN acknowledged_at INTEGER;
  ALTER TABLE inbox_items ADD COLUMN superseded_by TEXT;
  CREATE TABLE message_offers (
    job_id TEXT NOT NULL, id TEXT NOT NULL, visit INTEGER NOT NULL, session INTEGER NOT NULL, attempt INTEGER NOT NULL,
    how TEXT NOT NULL, interrupted TEXT, at INTEGER NOT NULL, delivered_at INTEGER, acknowledged_at INTEGER,
    PRIMARY KEY (job_id, id, visit, session, attempt)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- writes to remote forges: state sent (outcome unknown yet), done, refused, undecided
  CREATE TABLE forge_writes (
    operation_id TEXT PRIMARY KEY, forge TEXT NOT NULL, operation TEXT NOT NULL, repo TEXT NOT NULL, number INTEGER,
    job_id TEXT NOT NULL, phase TEXT NOT NULL, at INTEGER NOT NULL, state TEXT NOT NULL, result TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX forge_writes_state ON forge_writes (forge, state);
  CREATE INDEX pr_mappings_open ON pr_mappings (state, forge);
  CREATE TABLE webhook_deliveries (
    plugin_id TEXT NOT NULL, delivery_id TEXT NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (plugin_id, delivery_id)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- tickets and foreign pull requests that the params of jobs name; jobs of before name them in their snapshot
  CREATE TABLE job_references (reference TEXT NOT NULL, job_id TEXT NOT NULL, PRIMARY KEY (reference, job_id)) STRICT, WITHOUT ROWID;
  INSERT OR IGNORE INTO job_references (reference, job_id)
    SELECT lower(trim(named.value)), actors.id
    FROM actors, json_each(actors.snapshot, '$.context.params') AS named
    WHERE actors.chart = 'job' AND named.key IN ('jiraTicketId', 'trackerRef') AND named.type = 'text';
  -- jobs that rules have made of webhooks
  CREATE TABLE trigger_runs (
    rule TEXT NOT NULL, subject TEXT NOT NULL, job_id TEXT NOT NULL, at INTEGER NOT NULL, plugin_id TEXT NOT NULL,
    delivery_id TEXT NOT NULL, event TEXT NOT NULL, author TEXT NOT NULL, PRIMARY KEY (rule, subject, job_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX trigger_runs_at ON trigger_runs (rule, at);
  CREATE INDEX webhook_deliveries_at ON webhook_deliveries (at);
  `,
  `
  -- conflicts of pull requests that were reported; round: how often the same commit has come into one; over: 1 when it went away
  CREATE TABLE pr_conflicts (
    forge TEXT NOT NULL, repo TEXT NOT NULL, number INTEGER NOT NULL, cause TEXT NOT NULL, round INTEGER NOT NULL,
    over INTEGER NOT NULL, PRIMARY KEY (forge, repo, number)
  ) STRICT, WITHOUT ROWID;
  `,
];
