import { AUDIT_MIGRATION } from './auditMigration.ts';
import { BOUNDED_SUMS_MIGRATION } from './boundedSumsMigration.ts';
import { BUDGET_MIGRATION } from './budgetMigration.ts';
import { COST_DAY_MIGRATION } from './costDayMigration.ts';
import { COST_MIGRATION } from './costMigration.ts';
import { JOB_QUARTER_MIGRATION } from './jobQuarterMigration.ts';
import { JOB_GROUP_MIGRATION } from './jobGroupMigration.ts';
import { NOTIFICATION_MIGRATION } from './notificationMigration.ts';
import { PUSH_MIGRATION } from './pushMigration.ts';
import { SCHEDULE_PAUSE_MIGRATION } from './schedulePauseMigration.ts';
import { USAGE_MIGRATION } from './usageMigration.ts';

/** JSON of an actor; null if it is invalid, on which SQLite and the whole migration would fail. */
const SNAPSHOT = `CASE WHEN json_valid(a.snapshot) THEN a.snapshot END`;

/** The migrations since svc 0.2. */
export const UNRELEASED_MIGRATIONS: readonly string[] = [
  `
  -- jobs that coordinate sub-runs, or did
  CREATE TABLE campaigns (job_id TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
  INSERT INTO campaigns (job_id)
    SELECT id FROM actors
    WHERE chart = 'job'
      AND (json_extract(snapshot, '$.context.workflow.coordinator.enabled') = 1 OR id IN (SELECT parent FROM sub_runs));
  -- browsers that were let into the dashboard: hashes of their two secrets
  CREATE TABLE logins (
    cookie_hash TEXT PRIMARY KEY, page_key_hash TEXT NOT NULL, created_at INTEGER NOT NULL, used_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  -- jobs of before: what was approved in visits of their present workflow counts
  UPDATE actors SET snapshot = json_set(snapshot, '$.context.approvals', json_object(
    'at', (SELECT phase FROM phase_visits WHERE job_id = actors.id AND visit = json_extract(actors.snapshot, '$.context.visit')),
    'given', json(CASE WHEN EXISTS (
      SELECT 1 FROM phase_visits
      WHERE job_id = actors.id AND visit = json_extract(actors.snapshot, '$.context.visit') AND approved_by IS NOT NULL
    ) THEN 'true' ELSE 'false' END),
    'approved', (
      SELECT json_group_array(phase) FROM (
        SELECT DISTINCT phase FROM phase_visits
        WHERE job_id = actors.id AND approved_by IS NOT NULL AND started_at >= coalesce(
          round((julianday(json_extract(actors.snapshot, '$.context.workflowPathHistory[#-1].at')) - 2440587.5) * 86400000), 0)
      )
    ),
    'first', json('{}'),
    'subRuns', NULL
  ))
  WHERE chart = 'job';
  -- the commit that was approved on the local forge; null: before this version
  ALTER TABLE forge_reviews ADD COLUMN commit_hash TEXT;
  -- the newest commit whose checks were seen: since when all of them are green (round), and whether that was reported; green 0: they are not
  CREATE TABLE pr_checks (
    forge TEXT NOT NULL, repo TEXT NOT NULL, number INTEGER NOT NULL, cause TEXT NOT NULL, round INTEGER NOT NULL,
    green INTEGER NOT NULL, told INTEGER NOT NULL, event TEXT NOT NULL, PRIMARY KEY (forge, repo, number)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- the part of the input that was written to a cache of the model's endpoint; null: it was not reported
  ALTER TABLE token_usage ADD COLUMN cache_write_tokens INTEGER;
  -- the few frames of a stream that are no lines of the log: what is left of the numbers are lines
  CREATE INDEX frames_beside_log ON frames (actor, n) WHERE kind <> 'log';
  -- the marks of recovery in journals
  CREATE INDEX journal_notes ON journal (actor, seq) WHERE note = 1;
  -- reason and end of a sub-run as they were before it was skipped, so that a skip can be undone
  ALTER TABLE sub_runs ADD COLUMN before_skip TEXT;
  -- what the list of jobs is filtered, searched and sorted by; a job writes its row in the commits of its steps
  CREATE TABLE job_list (
    job_id TEXT PRIMARY KEY, parent TEXT, kind TEXT NOT NULL, status TEXT NOT NULL, state TEXT NOT NULL, ask TEXT,
    since INTEGER NOT NULL, dismissed_at INTEGER, repo TEXT, workflow TEXT NOT NULL, phase TEXT NOT NULL, title TEXT NOT NULL,
    created_at INTEGER NOT NULL, text TEXT NOT NULL
  ) STRICT;
  INSERT INTO job_list (job_id, parent, kind, status, state, ask, since, repo, workflow, phase, title, created_at, text)
    SELECT id, parent, kind, label,
      CASE
        WHEN activity = 'parked' THEN 'waiting'
        WHEN activity = 'live' AND json_extract(snapshot, '$.value') = 'queued' THEN 'queued'
        WHEN activity = 'live' THEN 'working'
        WHEN label IN ('failed', 'escalated') THEN 'failed'
        WHEN label <> 'complete' THEN 'cancelled'
        WHEN coalesce(json_extract(snapshot, '$.context.subRunFailures.failed'), 0)
          + coalesce(json_extract(snapshot, '$.context.subRunFailures.escalated'), 0) > 0 THEN 'partial'
        ELSE 'complete'
      END,
      CASE
        WHEN activity = 'ended' AND label IN ('failed', 'escalated') THEN label
        WHEN activity = 'parked' THEN CASE json_extract(snapshot, '$.context.parked.kind')
          WHEN 'approval' THEN 'approval' WHEN 'developer' THEN 'input' WHEN 'external' THEN 'external' WHEN 'halted' THEN 'halted' END
      END,
      coalesce(CAST(round((julianday(json_extract(snapshot, '$.context.parked.since')) - 2440587.5) * 86400000) AS INTEGER), since),
      json_extract(snapshot, '$.context.params.repoSlug'), coalesce(json_extract(snapshot, '$.context.workflowPath'), ''),
      coalesce(json_extract(snapshot, '$.context.phase'), ''),
      substr(folded(first_line(coalesce(json_extract(snapshot, '$.context.params.description'), ''), id)), 1, 200),
      created_at,
      folded(concat_ws(char(10), id, substr(coalesce(json_extract(snapshot, '$.context.params.description'), ''), 1, 2000),
        coalesce(json_extract(snapshot, '$.context.params.repoSlug'), ''), coalesce(json_extract(snapshot, '$.context.phase'), ''), label,
        coalesce(json_extract(snapshot, '$.context.workflowPath'), ''), coalesce(json_extract(snapshot, '$.context.parked.reason'), json_extract(snapshot, '$.context.escalationMessage'), '')))
    FROM actors WHERE chart = 'job' ORDER BY created_at, id;
  CREATE INDEX job_list_created ON job_list (created_at, parent, ask, dismissed_at, state, repo, workflow, kind, job_id);
  CREATE INDEX job_list_state ON job_list (state, ask, dismissed_at, parent, repo, workflow);
  CREATE INDEX job_list_since ON job_list (since);
  CREATE INDEX job_list_title ON job_list (title);
  CREATE INDEX job_list_repo ON job_list (repo);
  CREATE INDEX job_list_workflow ON job_list (workflow);
  CREATE INDEX job_list_parent ON job_list (parent) WHERE parent IS NOT NULL;
  CREATE INDEX job_list_ask ON job_list (ask) WHERE ask IS NOT NULL AND dismissed_at IS NULL;
  CREATE INDEX sub_runs_job ON sub_runs (job_id) WHERE job_id IS NOT NULL;
  -- reviews by people: places of comments on code, decisions other than approvals, and whether a thread is resolved
  ALTER TABLE forge_comments ADD COLUMN path TEXT;
  ALTER TABLE forge_comments ADD COLUMN line INTEGER;
  ALTER TABLE forge_comments ADD COLUMN start_line INTEGER;
  ALTER TABLE forge_comments ADD COLUMN side TEXT;
  ALTER TABLE forge_comments ADD COLUMN commit_hash TEXT;
  ALTER TABLE forge_comments ADD COLUMN resolved_at INTEGER;
  ALTER TABLE forge_comments ADD COLUMN resolved_by TEXT;
  ALTER TABLE forge_reviews ADD COLUMN verdict TEXT NOT NULL DEFAULT 'approved';
  CREATE TABLE svc_approvals (
    forge TEXT NOT NULL, repo TEXT NOT NULL, number INTEGER NOT NULL, person TEXT NOT NULL, head TEXT NOT NULL,
    at INTEGER NOT NULL, came TEXT NOT NULL, PRIMARY KEY (forge, repo, number, person, head)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE reviews (
    id TEXT PRIMARY KEY, job_id TEXT NOT NULL, forge TEXT NOT NULL, repo TEXT NOT NULL, number INTEGER NOT NULL,
    pr_id TEXT NOT NULL, head TEXT NOT NULL, author TEXT NOT NULL, came TEXT NOT NULL, at INTEGER NOT NULL,
    verdict TEXT NOT NULL, content TEXT NOT NULL, state TEXT NOT NULL, problem TEXT,
    outcome TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX reviews_job ON reviews (job_id, at);
  `,
  `
  -- what lists show of a job beside its row in job_list; a job writes it in the commits of its steps
  CREATE TABLE job_summaries (
    job_id TEXT PRIMARY KEY, description TEXT NOT NULL, parked TEXT, escalation TEXT, failed INTEGER NOT NULL,
    escalated INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  INSERT INTO job_summaries (job_id, description, parked, escalation, failed, escalated)
    SELECT id,
      CASE json_type(snapshot, '$.context.params.description') WHEN 'text' THEN json_extract(snapshot, '$.context.params.description') ELSE '' END,
      json_extract(snapshot, '$.context.parked'), json_extract(snapshot, '$.context.escalationMessage'),
      coalesce(json_extract(snapshot, '$.context.subRunFailures.failed'), 0),
      coalesce(json_extract(snapshot, '$.context.subRunFailures.escalated'), 0)
    FROM actors WHERE chart = 'job' ORDER BY id;
  `,
  `
  -- chats of plan mode; the long columns are last, so that a list reads no page that only they are on
  CREATE TABLE investigations (
    id TEXT PRIMARY KEY, title TEXT NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL,
    repo TEXT, pins TEXT NOT NULL, provider TEXT, model TEXT, readiness_state TEXT,
    findings_sha TEXT, findings_by TEXT, input_tokens INTEGER NOT NULL, output_tokens INTEGER NOT NULL,
    cached_input_tokens INTEGER NOT NULL, cache_write_tokens INTEGER NOT NULL, context_tokens INTEGER,
    unpriced_turns INTEGER NOT NULL, lookups INTEGER NOT NULL, turns INTEGER NOT NULL, job_ids TEXT NOT NULL,
    folded_to INTEGER NOT NULL, readiness TEXT, run TEXT, resume TEXT, findings TEXT, findings_proposed TEXT,
    summary TEXT, items TEXT NOT NULL
  ) STRICT;
  CREATE INDEX investigations_updated ON investigations (updated_at, id);
  CREATE TABLE investigation_turns (
    investigation TEXT NOT NULL, n INTEGER NOT NULL, at INTEGER NOT NULL, ended_at INTEGER, state TEXT NOT NULL,
    error TEXT, reason TEXT, rounds INTEGER NOT NULL, provider TEXT NOT NULL, model TEXT, usage TEXT,
    context TEXT NOT NULL, message TEXT NOT NULL, answer TEXT NOT NULL, thinking TEXT NOT NULL, replay TEXT,
    PRIMARY KEY (investigation, n)
  ) STRICT;
  -- turns that a start finds open belong to a runner that has ended
  CREATE INDEX investigation_turns_open ON investigation_turns (state) WHERE state IN ('queued', 'running');
  CREATE TABLE investigation_evidence (
    investigation TEXT NOT NULL, n INTEGER NOT NULL, turn INTEGER NOT NULL, tool TEXT NOT NULL, args TEXT NOT NULL,
    target TEXT NOT NULL, ok INTEGER NOT NULL, ms INTEGER NOT NULL, repo TEXT, commit_sha TEXT, path TEXT,
    from_line INTEGER, to_line INTEGER, sha256 TEXT NOT NULL, trust TEXT NOT NULL, cited INTEGER NOT NULL,
    chars INTEGER NOT NULL, PRIMARY KEY (investigation, n)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE investigation_texts (
    investigation TEXT NOT NULL, sha256 TEXT NOT NULL, text TEXT NOT NULL, PRIMARY KEY (investigation, sha256)
  ) STRICT;
  CREATE TABLE investigation_citations (
    investigation TEXT NOT NULL, ref TEXT NOT NULL, citation TEXT NOT NULL, checked_at INTEGER NOT NULL,
    PRIMARY KEY (investigation, ref)
  ) STRICT, WITHOUT ROWID;
  `,
  USAGE_MIGRATION,
  `
  -- what people did that does not reach a job: its log has a line for each, once
  CREATE TABLE unheard_news (
    job_id TEXT NOT NULL, external_id TEXT NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (job_id, external_id)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- where in its turn a look-up was made; in turns of before, look-ups are before the answer
  ALTER TABLE investigation_evidence ADD COLUMN round INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE investigation_evidence ADD COLUMN answer_at INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE investigation_evidence ADD COLUMN thinking_at INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE investigations ADD COLUMN findings_cut INTEGER NOT NULL DEFAULT 0;
  UPDATE investigations SET run = json_set(run, '$.repaired', json('false'), '$.unreadable', json('false'))
    WHERE run IS NOT NULL;
  `,
  BUDGET_MIGRATION,
  `
  -- jobs that wait for a limit of a model, in the order in which they are woken
  CREATE TABLE quota_waits (
    pool TEXT NOT NULL, headless INTEGER NOT NULL, since INTEGER NOT NULL, job_id TEXT NOT NULL,
    PRIMARY KEY (pool, headless, since, job_id)
  ) STRICT, WITHOUT ROWID;
  `,
  COST_MIGRATION,
  `
  -- what confined each session; sessions for which no sandbox was wanted have no row
  CREATE TABLE session_sandboxes (
    job_id TEXT NOT NULL, visit INTEGER NOT NULL, session INTEGER NOT NULL, state TEXT NOT NULL, reason TEXT,
    PRIMARY KEY (job_id, visit, session)
  ) STRICT, WITHOUT ROWID;
  `,
  // Decisions of rules, and how often each has passed.
  `
  CREATE TABLE guardrail_decisions (
    job_id TEXT NOT NULL, rule TEXT NOT NULL, moment TEXT NOT NULL, subject TEXT NOT NULL, result TEXT NOT NULL,
    tool TEXT NOT NULL, message TEXT NOT NULL, phase TEXT NOT NULL, visit INTEGER NOT NULL, session INTEGER NOT NULL,
    at INTEGER NOT NULL, times INTEGER NOT NULL, ms INTEGER NOT NULL, script TEXT, allowed_at INTEGER, allowed_by TEXT,
    PRIMARY KEY (job_id, rule, moment, subject)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX guardrail_decisions_at ON guardrail_decisions (at);
  CREATE TABLE guardrail_passes (
    rule TEXT NOT NULL, moment TEXT NOT NULL, passes INTEGER NOT NULL, PRIMARY KEY (rule, moment)
  ) STRICT, WITHOUT ROWID;
  `,
  // Questions to the decision layer and its answers.
  `
  CREATE TABLE decisions (
    job_id TEXT NOT NULL, key TEXT NOT NULL, site TEXT NOT NULL, at INTEGER NOT NULL,
    phase TEXT NOT NULL, visit INTEGER NOT NULL, mode TEXT NOT NULL, provider TEXT NOT NULL, model TEXT NOT NULL,
    digest_version INTEGER, digest_sha TEXT, ms INTEGER,
    unmet TEXT, unmet_confidence REAL, goal REAL, seriousness REAL, stuck REAL, raw TEXT,
    skipped TEXT, flag TEXT, seen TEXT, pauses INTEGER NOT NULL,
    PRIMARY KEY (job_id, key)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX decisions_at ON decisions (at);
`,
  // What people think of ratings, and the newest rating of a job, for lists.
  `
  CREATE TABLE decision_labels (
    job_id TEXT NOT NULL, key TEXT NOT NULL, verdict TEXT NOT NULL, note TEXT, at INTEGER NOT NULL, by TEXT NOT NULL,
    PRIMARY KEY (job_id, key)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX decisions_rated ON decisions (job_id, at) WHERE goal IS NOT NULL;
`,
  `
  -- what the decision layer has made of comments
  ALTER TABLE inbox_items ADD COLUMN held INTEGER;
  ALTER TABLE inbox_items ADD COLUMN override INTEGER;
  `,
  `
  -- what invariants have kept agents from
  CREATE TABLE forbidden_calls (
    job_id TEXT NOT NULL, rule TEXT NOT NULL, tool TEXT NOT NULL, message TEXT NOT NULL, phase TEXT NOT NULL,
    visit INTEGER NOT NULL, at INTEGER NOT NULL, times INTEGER NOT NULL, PRIMARY KEY (job_id, rule, tool)
  ) STRICT, WITHOUT ROWID;
  `,
  // Proposed changes of workflows, agents, skills and memory.
  `
  CREATE TABLE proposals (
    id TEXT PRIMARY KEY, job_id TEXT, phase TEXT, kind TEXT NOT NULL, layer TEXT NOT NULL, repo TEXT, provider TEXT,
    description TEXT NOT NULL, hash TEXT NOT NULL, at INTEGER NOT NULL, state TEXT NOT NULL, since INTEGER NOT NULL,
    warnings INTEGER NOT NULL, problem TEXT, approval TEXT, allowed TEXT NOT NULL, rejection TEXT, link TEXT,
    superseded_by TEXT, checks TEXT, plan TEXT, content TEXT NOT NULL
  ) STRICT;
  CREATE INDEX proposals_at ON proposals (at, id);
  CREATE INDEX proposals_state ON proposals (state, at);
  CREATE INDEX proposals_job ON proposals (job_id, at) WHERE job_id IS NOT NULL;
`,
  `
  -- what files of the tenant layer were, and who has changed them
  CREATE TABLE intelligence_versions (
    path TEXT NOT NULL, n INTEGER NOT NULL, at INTEGER NOT NULL, author TEXT NOT NULL, came TEXT, proposal TEXT,
    text TEXT, PRIMARY KEY (path, n)
  ) STRICT, WITHOUT ROWID;
  `,
  // Archives of ended actors, and what retention has done.
  `
  -- segments of journals and streams that are in files now; the numbers are of rows of one actor, both ends included, to = from - 1: none;
  -- cleared 0: rows that the file has may still be in the tables; removed_at: since then the file is gone for good
  CREATE TABLE archives (
    actor TEXT NOT NULL, n INTEGER NOT NULL, file TEXT NOT NULL, from_frame INTEGER NOT NULL, to_frame INTEGER NOT NULL,
    from_seq INTEGER NOT NULL, to_seq INTEGER NOT NULL, rows INTEGER NOT NULL, bytes INTEGER NOT NULL, sha256 TEXT NOT NULL,
    at INTEGER NOT NULL, cleared INTEGER NOT NULL, removed_at INTEGER, parts TEXT NOT NULL, PRIMARY KEY (actor, n)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX archives_uncleared ON archives (actor) WHERE cleared = 0;
  -- which events are kept in blobs
  CREATE INDEX journal_blobs ON journal (event) WHERE substr(event, 1, 10) = '{"$blob":"';
  -- what runs of retention answered, the last 50
  CREATE TABLE retention_runs (at INTEGER NOT NULL PRIMARY KEY, reply TEXT NOT NULL) STRICT;
  CREATE TRIGGER retention_runs_kept AFTER INSERT ON retention_runs BEGIN
    DELETE FROM retention_runs WHERE at NOT IN (SELECT at FROM retention_runs ORDER BY at DESC LIMIT 50);
  END;
  `,
  // Artefacts whose content retention has removed.
  `
  -- since when the content is gone; null = it exists
  ALTER TABLE artefacts ADD COLUMN removed_at INTEGER;
  CREATE INDEX artefacts_content ON artefacts (sha256);
  `,
  JOB_GROUP_MIGRATION,
  // A job that wakes and parks again rewrites every index with one of the changed columns. Columns
  // that no list is read by are no longer indexed.
  `
  -- lists are read from job_list
  DROP INDEX actors_label;
  DROP INDEX actors_kind;
  DROP INDEX actors_activity;
  -- what retention looks for: written once, when an actor ends
  CREATE INDEX actors_ended ON actors (since, id) WHERE activity = 'ended';
  -- an effect's id begins with its actor's
  DROP INDEX outbox_actor;
  -- without the columns of a job's state
  DROP INDEX job_list_created;
  CREATE INDEX job_list_created ON job_list (created_at, parent, repo, workflow, kind, job_id);
  -- asks are found by the state that has them; the failures of sub-runs that no one has dismissed are few
  DROP INDEX job_list_ask;
  CREATE INDEX job_list_failed_parts ON job_list (ask)
    WHERE parent IS NOT NULL AND dismissed_at IS NULL AND ask IN ('failed', 'escalated');
  `,
  // Order of the list of insights of all jobs, which was scanned for each page. Insights are rarely
  // written, so the index costs little.
  `
  CREATE INDEX insights_newest ON insights (at DESC, job_id, id);
  `,
  BOUNDED_SUMS_MIGRATION,
  `
  -- why nothing can come from a pull request; null = nothing is known
  ALTER TABLE pr_mappings ADD COLUMN problem TEXT;
  -- the head of a pull request of the local forge, for one whose branch is gone after its merge
  ALTER TABLE forge_prs ADD COLUMN head_commit TEXT;
  `,
  // Unreadable rows as they were before `svc doctor --fix` repaired or removed them: `content` is
  // JSON by column, integers beyond 2^53 as text.
  `
  CREATE TABLE quarantined_rows (
    id INTEGER PRIMARY KEY NOT NULL, at INTEGER NOT NULL, table_name TEXT NOT NULL, row_id TEXT NOT NULL, reason TEXT NOT NULL,
    content TEXT NOT NULL
  ) STRICT;
`,
  `
  -- what an agent wrote last in the newest session of a visit, where that session failed
  CREATE TABLE failed_outputs (
    job_id TEXT NOT NULL, visit INTEGER NOT NULL, session INTEGER NOT NULL, phase TEXT NOT NULL, lines TEXT NOT NULL,
    PRIMARY KEY (job_id, visit)
  ) STRICT, WITHOUT ROWID;
  `,
  // Jobs that wait for a review or the merge of an open pull request need a person, as
  // `isAwaitingReview` of the chart decides for newly parked jobs.
  `
  UPDATE job_list SET ask = 'review'
  WHERE state = 'waiting' AND ask IS NULL AND job_id IN (
    SELECT a.id FROM actors a
    WHERE a.chart = 'job' AND a.activity = 'parked'
      AND ${SNAPSHOT} ->> '$.context.parked.kind' = 'event'
      AND json_type(${SNAPSHOT}, '$.context.awaited') = 'object'
      AND ${SNAPSHOT} ->> '$.context.awaited.external' IS NULL
      AND (
        ${SNAPSHOT} ->> '$.context.awaited.kinds' IS NULL
        OR EXISTS (
          SELECT 1 FROM json_each(${SNAPSHOT}, '$.context.awaited.kinds') k
          WHERE k.value IN ('approved', 'changes_requested', 'commented', 'review_thread', 'merged', 'closed', 'reopened')
        )
      )
      AND EXISTS (
        SELECT 1 FROM json_each(${SNAPSHOT}, '$.context.prs') p
        WHERE p.value ->> '$.state' = 'open' AND coalesce(p.value ->> '$.blocked.asks', 0) <> 1
      )
  );
  `,
  `
  -- the member of the team who approved a visit; null = no name is known
  ALTER TABLE phase_visits ADD COLUMN approved_person TEXT;
  `,
  COST_DAY_MIGRATION,
  JOB_QUARTER_MIGRATION,
  `
  -- entries of the home's log that the control plane is not known to have
  CREATE TABLE log_outgoing (
    n INTEGER PRIMARY KEY NOT NULL, generation INTEGER NOT NULL, hash TEXT NOT NULL, body BLOB NOT NULL
  ) STRICT;
  `,
  `
  -- the exit code of the program whose end was the failure
  ALTER TABLE failed_outputs ADD COLUMN exit_code INTEGER;
  `,
  `
  -- until when what a job needs a person for is put off
  CREATE TABLE snoozes (
    job_id TEXT PRIMARY KEY, ask TEXT NOT NULL, since INTEGER NOT NULL, until INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX snoozes_until ON snoozes (until);
  `,
  // What came of the times of schedules: the newest 200 of each.
  `
  CREATE TABLE schedule_runs (
    schedule TEXT NOT NULL, time INTEGER NOT NULL, manual INTEGER NOT NULL, state TEXT NOT NULL, job_id TEXT, problem TEXT,
    at INTEGER NOT NULL, PRIMARY KEY (schedule, time, manual)
  ) STRICT, WITHOUT ROWID;
  CREATE TRIGGER schedule_runs_kept AFTER INSERT ON schedule_runs BEGIN
    DELETE FROM schedule_runs WHERE schedule = NEW.schedule AND time < (
      SELECT time FROM schedule_runs WHERE schedule = NEW.schedule ORDER BY time DESC LIMIT 1 OFFSET 199
    );
  END;
  `,
  NOTIFICATION_MIGRATION,
  `
  -- transitions between phases that jobs took, written in the commits of their steps; jobs of before have none
  CREATE TABLE phase_transitions (
    job_id TEXT NOT NULL, visit INTEGER NOT NULL, kind TEXT NOT NULL, at INTEGER NOT NULL, workflow TEXT NOT NULL,
    from_phase TEXT NOT NULL, to_phase TEXT NOT NULL, cause TEXT NOT NULL, PRIMARY KEY (job_id, visit, kind)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX job_list_workflow_runs ON job_list (workflow, created_at);
  `,
  AUDIT_MIGRATION,
  `
  -- the member of the team who asked for a job, where a name is known
  CREATE TABLE job_creators (job_id TEXT PRIMARY KEY, person TEXT NOT NULL) STRICT, WITHOUT ROWID;
  `,
  `
  -- what was made ready in the checkouts of jobs: their ports, and which script has set them up
  CREATE TABLE checkouts (
    job_id TEXT PRIMARY KEY, port INTEGER, ports INTEGER NOT NULL, setup_hash TEXT,
    files_hash TEXT
  ) STRICT, WITHOUT ROWID;
  `,
  PUSH_MIGRATION,
  `
  -- up to where the spans of jobs were delivered; a home without traces has no rows
  CREATE TABLE trace_marks (
    job_id TEXT PRIMARY KEY, frame INTEGER NOT NULL, seq INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  `,
  SCHEDULE_PAUSE_MIGRATION,
];
