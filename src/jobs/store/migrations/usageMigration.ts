/**
 * The ledger of model usage, and its sums. A view says to which sums a row belongs; triggers
 * subtract a row before it changes or goes, and add it after it came or changed. So the sums match
 * the rows after every commit.
 */
export const USAGE_MIGRATION = `
  CREATE TABLE usage_calls (
    subject TEXT NOT NULL, visit INTEGER NOT NULL, session INTEGER NOT NULL, seq INTEGER NOT NULL,
    root TEXT NOT NULL, phase TEXT NOT NULL, workflow TEXT, repository TEXT, provider TEXT, model TEXT,
    at INTEGER NOT NULL, ms INTEGER NOT NULL,
    input_tokens INTEGER NOT NULL, output_tokens INTEGER NOT NULL, cached_input_tokens INTEGER NOT NULL,
    cache_write_tokens INTEGER NOT NULL, cache_write_1h_tokens INTEGER NOT NULL, reasoning_tokens INTEGER NOT NULL,
    micro_usd INTEGER, metered INTEGER NOT NULL, source TEXT NOT NULL,
    PRIMARY KEY (subject, visit, session, seq)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX usage_calls_at ON usage_calls (at);
  CREATE INDEX usage_calls_root ON usage_calls (root, at);
  CREATE TABLE usage_sums (
    scope TEXT NOT NULL, key TEXT NOT NULL, window TEXT NOT NULL, micro_usd INTEGER NOT NULL, tokens INTEGER NOT NULL,
    calls INTEGER NOT NULL, unpriced_calls INTEGER NOT NULL, sessions INTEGER NOT NULL, ms INTEGER NOT NULL,
    PRIMARY KEY (scope, key, window)
  ) STRICT, WITHOUT ROWID;
  CREATE VIEW usage_parts AS
    SELECT c.subject, c.visit, c.session, c.seq, s.value AS scope,
      CASE s.value
        WHEN 'session' THEN c.subject || '/' || c.visit || '.' || c.session
        WHEN 'phase' THEN c.subject || '/' || c.visit
        WHEN 'job' THEN c.subject
        WHEN 'campaign' THEN c.root
        WHEN 'repository' THEN c.repository
        ELSE '' END AS key,
      CASE s.value
        WHEN 'day' THEN date(c.at / 1000, 'unixepoch')
        WHEN 'week' THEN date(c.at / 1000, 'unixepoch', 'weekday 0', '-6 days')
        ELSE '' END AS window,
      CASE WHEN c.metered = 1 THEN coalesce(c.micro_usd, 0) ELSE 0 END AS micro_usd,
      c.input_tokens + c.output_tokens AS tokens,
      c.source <> 'none' AS calls, c.micro_usd IS NULL AS unpriced_calls, c.seq = 1 AS sessions, c.ms
    FROM usage_calls c
    CROSS JOIN json_each('["session","phase","job","campaign","repository","day","week","runner"]') s
    WHERE s.value <> 'repository' OR c.repository IS NOT NULL;
  ${['INSERT', 'UPDATE'].map(buildSumAddTrigger).join('')}
  ${['UPDATE', 'DELETE'].map(buildSumRemoveTrigger).join('')}
  -- sessions of before: neither the model nor the cost of their calls is known
  INSERT INTO usage_calls
    WITH RECURSIVE tree (job, root) AS (
      SELECT job_id, job_id FROM job_list WHERE parent IS NULL OR parent NOT IN (SELECT job_id FROM job_list)
      UNION ALL
      SELECT j.job_id, t.root FROM job_list j JOIN tree t ON j.parent = t.job
    )
    SELECT u.job_id, u.visit, u.session, 1, coalesce(t.root, u.job_id), u.phase, l.workflow, l.repo, NULL, NULL,
      coalesce(v.started_at, l.created_at, 0), 0,
      u.input_tokens, u.output_tokens, u.cached_input_tokens, coalesce(u.cache_write_tokens, 0), 0, 0,
      NULL, 1, 'reported'
    FROM token_usage u
    LEFT JOIN job_list l ON l.job_id = u.job_id
    LEFT JOIN tree t ON t.job = u.job_id
    LEFT JOIN phase_visits v ON v.job_id = u.job_id AND v.visit = u.visit;
  `;

function buildSumAddTrigger(change: string): string {
  return `
  CREATE TRIGGER usage_calls_${change}_adds AFTER ${change} ON usage_calls BEGIN
    INSERT INTO usage_sums (scope, key, window, micro_usd, tokens, calls, unpriced_calls, sessions, ms)
      SELECT scope, key, window, micro_usd, tokens, calls, unpriced_calls, sessions, ms FROM usage_parts
      WHERE subject = NEW.subject AND visit = NEW.visit AND session = NEW.session AND seq = NEW.seq
    ON CONFLICT (scope, key, window) DO UPDATE SET
      micro_usd = usage_sums.micro_usd + excluded.micro_usd, tokens = usage_sums.tokens + excluded.tokens,
      calls = usage_sums.calls + excluded.calls, unpriced_calls = usage_sums.unpriced_calls + excluded.unpriced_calls,
      sessions = usage_sums.sessions + excluded.sessions, ms = usage_sums.ms + excluded.ms;
  END;`;
}

function buildSumRemoveTrigger(change: string): string {
  return `
  CREATE TRIGGER usage_calls_${change}_removes BEFORE ${change} ON usage_calls BEGIN
    UPDATE usage_sums SET
      micro_usd = usage_sums.micro_usd - p.micro_usd, tokens = usage_sums.tokens - p.tokens,
      calls = usage_sums.calls - p.calls, unpriced_calls = usage_sums.unpriced_calls - p.unpriced_calls,
      sessions = usage_sums.sessions - p.sessions, ms = usage_sums.ms - p.ms
    FROM usage_parts p
    WHERE p.subject = OLD.subject AND p.visit = OLD.visit AND p.session = OLD.session AND p.seq = OLD.seq
      AND usage_sums.scope = p.scope AND usage_sums.key = p.key AND usage_sums.window = p.window;
  END;`;
}
