/** Browsers that get web push, and messages that are changed when what they ask for is settled. */
export const PUSH_MIGRATION = `
  CREATE TABLE push_subscriptions (
    id TEXT PRIMARY KEY, channel TEXT NOT NULL, endpoint TEXT NOT NULL, p256dh TEXT NOT NULL, auth TEXT NOT NULL,
    label TEXT NOT NULL, created_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  -- by what a channel finds a delivered message again; null = it cannot be changed
  ALTER TABLE notification_messages ADD COLUMN handle TEXT;
  CREATE TABLE notification_shown (
    fact TEXT NOT NULL, message TEXT NOT NULL, channel TEXT NOT NULL, settled INTEGER NOT NULL,
    PRIMARY KEY (fact, message)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX notification_shown_channel ON notification_shown (channel, settled);
  CREATE TRIGGER notification_ask_settled AFTER UPDATE OF ask, since ON job_list
    WHEN OLD.ask IS NOT NULL AND (NEW.ask IS NOT OLD.ask OR NEW.since <> OLD.since) BEGIN
    UPDATE notification_shown SET settled = 1 
      WHERE fact = OLD.job_id || '/' || OLD.ask || '/' || OLD.since AND settled = 0;
  END;
  `;
