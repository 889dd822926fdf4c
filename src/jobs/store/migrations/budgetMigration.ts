/**
 * Budgets: caps that people set or raised, and what running sessions reserve of the rest. Triggers
 * sum the tokens of calls without a known price, like the ledger's own sums.
 */
export const BUDGET_MIGRATION = `
  CREATE TABLE budget_caps (
    scope TEXT NOT NULL, key TEXT NOT NULL, metric TEXT NOT NULL, window TEXT NOT NULL,
    cap INTEGER, raised INTEGER NOT NULL, at INTEGER NOT NULL, by TEXT NOT NULL,
    PRIMARY KEY (scope, key, metric, window)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE budget_holds (
    job_id TEXT PRIMARY KEY, root TEXT NOT NULL, repository TEXT, at INTEGER NOT NULL,
    usd INTEGER NOT NULL, tokens INTEGER NOT NULL, sessions INTEGER NOT NULL, minutes INTEGER NOT NULL,
    base_usd INTEGER NOT NULL, base_tokens INTEGER NOT NULL, base_sessions INTEGER NOT NULL, base_minutes INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE budget_warnings (
    scope TEXT NOT NULL, key TEXT NOT NULL, metric TEXT NOT NULL, window TEXT NOT NULL, cap INTEGER NOT NULL,
    job_id TEXT NOT NULL, at INTEGER NOT NULL, text TEXT NOT NULL, PRIMARY KEY (scope, key, metric, window, cap)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX budget_warnings_job ON budget_warnings (job_id);
  CREATE INDEX usage_calls_phase ON usage_calls (workflow, phase, at);
  CREATE TABLE unpriced_sums (
    scope TEXT NOT NULL, key TEXT NOT NULL, window TEXT NOT NULL, input_tokens INTEGER NOT NULL, output_tokens INTEGER NOT NULL,
    PRIMARY KEY (scope, key, window)
  ) STRICT, WITHOUT ROWID;
  CREATE TRIGGER unpriced_added AFTER INSERT ON usage_calls WHEN NEW.micro_usd IS NULL AND NEW.metered = 1
  BEGIN ${buildUnpricedAdd('+', 'NEW')} END;
  CREATE TRIGGER unpriced_changed AFTER UPDATE ON usage_calls WHEN NEW.micro_usd IS NULL AND NEW.metered = 1
  BEGIN ${buildUnpricedAdd('+', 'NEW')} END;
  CREATE TRIGGER unpriced_changes BEFORE UPDATE ON usage_calls WHEN OLD.micro_usd IS NULL AND OLD.metered = 1
  BEGIN ${buildUnpricedAdd('-', 'OLD')} END;
  CREATE TRIGGER unpriced_removes BEFORE DELETE ON usage_calls WHEN OLD.micro_usd IS NULL AND OLD.metered = 1
  BEGIN ${buildUnpricedAdd('-', 'OLD')} END;
  `;

function buildUnpricedAdd(sign: '+' | '-', row: 'NEW' | 'OLD'): string {
  return `
    INSERT INTO unpriced_sums (scope, key, window, input_tokens, output_tokens)
      SELECT scope, key, window, ${sign}${row}.input_tokens, ${sign}${row}.output_tokens FROM usage_parts
      WHERE subject = ${row}.subject AND visit = ${row}.visit AND session = ${row}.session AND seq = ${row}.seq
    ON CONFLICT (scope, key, window) DO UPDATE SET
      input_tokens = unpriced_sums.input_tokens + excluded.input_tokens,
      output_tokens = unpriced_sums.output_tokens + excluded.output_tokens;`;
}
