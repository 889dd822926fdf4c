import type { NotificationKind } from '../../base/settings/notificationKinds.ts';

/** What people are to be notified of, and the messages about it; a part of `Tables`. Times are epoch ms. */
export interface NotificationTables {
  /**
   * What became true and is in no message yet. Triggers write most of them, in the commit that makes
   * it true; the rules of the configuration then put each into messages, in one commit with its removal.
   */
  notification_facts: {
    /** The same fact always has the same id. */
    id: string;
    kind: NotificationKind;
    /** More exactly, such as `approval` or `failed`. */
    reason: string;
    job_id: string | null;
    at: number;
    /** In words; empty where the job says it. */
    text: string;
  };
  notification_messages: {
    /** Stays the same in every attempt. */
    id: string;
    channel: string;
    created_at: number;
    /** Not sent before. */
    due_at: number;
    /** Attempts so far. */
    attempts: number;
    /**
     * `sending`: an attempt at a channel that must not get it twice has begun; found at a start, it
     * becomes `unknown`. `obsolete`: everything in it was settled before it was sent.
     */
    state: 'waiting' | 'sending' | 'sent' | 'failed' | 'unknown' | 'obsolete';
    /** The last problem; null = none. */
    error: string | null;
    /** When it reached a state in which nothing more happens; null = not yet. */
    settled_at: number | null;
    /** JSON of a list of facts: `id`, `kind`, `reason`, `jobId`, `at`, `text`. */
    facts: string;
  };
  /** How a channel works. One that was never used has no row. */
  notification_channels: {
    channel: string;
    /** Failed attempts in a row. */
    failures: number;
    /** Since when they fail; null = the last attempt succeeded. */
    failing_since: number | null;
    error: string | null;
    /** No attempt before; null = at any time. */
    retry_at: number | null;
    /** When a message was last delivered; null = never. */
    sent_at: number | null;
  };
}
