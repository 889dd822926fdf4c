/** The kind of notification of what a person is asked for. */
const KIND_OF_ASK = `CASE
  WHEN NEW.ask = 'budget' THEN 'budget'
  WHEN NEW.ask IN ('failed', 'escalated', 'halted') THEN 'broken'
  ELSE 'needs-you'
END`;

/** Two asks of a job differ in what is asked or since when, so the id of each is its own. */
const ADD_ASK = `INSERT INTO notification_facts (id, kind, reason, job_id, at, text)
  VALUES (NEW.job_id || '/' || NEW.ask || '/' || NEW.since, ${KIND_OF_ASK}, NEW.ask, NEW.job_id, NEW.since, '')
  ON CONFLICT (id) DO NOTHING;`;

const ADD_ACCOUNT = `INSERT INTO notification_facts (id, kind, reason, job_id, at, text)
  VALUES (NEW.id || '/' || NEW.label || '/' || NEW.since, 'account', NEW.label, NULL, NEW.since, NEW.id)
  ON CONFLICT (id) DO NOTHING;`;

/**
 * Not `INSERT OR IGNORE`: the conflict clause of the statement that fires a trigger would replace it.
 *
 * Notifications: what people are to be notified of is written by triggers, so in the commit that makes
 * it true, whatever writes it.
 */
export const NOTIFICATION_MIGRATION = `
  CREATE TABLE notification_facts (
    id TEXT PRIMARY KEY, kind TEXT NOT NULL, reason TEXT NOT NULL, job_id TEXT, at INTEGER NOT NULL, text TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE notification_messages (
    id TEXT PRIMARY KEY, channel TEXT NOT NULL, created_at INTEGER NOT NULL, due_at INTEGER NOT NULL,
    attempts INTEGER NOT NULL, state TEXT NOT NULL, error TEXT, settled_at INTEGER, facts TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX notification_messages_open ON notification_messages (state, channel, due_at);
  CREATE TABLE notification_channels (
    channel TEXT PRIMARY KEY, failures INTEGER NOT NULL, failing_since INTEGER, error TEXT, retry_at INTEGER, sent_at INTEGER
  ) STRICT, WITHOUT ROWID;
  CREATE TRIGGER notification_ask_inserted AFTER INSERT ON job_list WHEN NEW.ask IS NOT NULL BEGIN
    ${ADD_ASK}
  END;
  CREATE TRIGGER notification_ask_changed AFTER UPDATE OF ask, since ON job_list
    WHEN NEW.ask IS NOT NULL AND (OLD.ask IS NOT NEW.ask OR OLD.since <> NEW.since) BEGIN
    ${ADD_ASK}
  END;
  CREATE TRIGGER notification_budget_warned AFTER INSERT ON budget_warnings BEGIN
    INSERT INTO notification_facts (id, kind, reason, job_id, at, text)
      VALUES ('budget/' || NEW.scope || '/' || NEW.key || '/' || NEW.metric || '/' || NEW.window || '/' || NEW.cap,
        'budget', 'warning', NEW.job_id, NEW.at, NEW.text)
      ON CONFLICT (id) DO NOTHING;
  END;
  -- an account that closes; one whose probe meets the same limit again was reported when it closed
  CREATE TRIGGER notification_account_closed AFTER UPDATE OF label ON actors
    WHEN NEW.chart = 'quota' AND NEW.label IN ('exhausted', 'failing', 'billing') AND OLD.label <> NEW.label
      AND (OLD.label <> 'probing' OR NEW.label = 'billing') BEGIN
    ${ADD_ACCOUNT}
  END;
  CREATE TRIGGER notification_account_opened_closed AFTER INSERT ON actors
    WHEN NEW.chart = 'quota' AND NEW.label IN ('exhausted', 'failing', 'billing') BEGIN
    ${ADD_ACCOUNT}
  END;
  `;
