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
    /** In words; empty where the job says it, the name of a schedule that has paused, the id of an account. */
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
    /** By what its channel finds it again to change it; null = it was not delivered, or cannot be changed. */
    handle: string | null;
  };
  /** What delivered messages show that can still be changed: one row for each fact that a job or a schedule may settle. */
  notification_shown: {
    /** Id of the fact. */
    fact: string;
    /** Id of the message. */
    message: string;
    channel: string;
    /**
     * 1 = the job does not ask any more, or the schedule continues, and the message still says that it does; a trigger sets it. 2 = the
     * message says it. 0 = the job asks.
     */
    settled: number;
  };
  /** Browsers that get web push. Endpoint and `auth` are secrets: who has them can send messages. */
  push_subscriptions: {
    /** Of the endpoint: the same for the same browser. */
    id: string;
    channel: string;
    /** Address at the push service. */
    endpoint: string;
    /** Public key of the browser, base64url of 65 bytes. */
    p256dh: string;
    /** Base64url of 16 bytes. */
    auth: string;
    /** What the browser calls itself, such as `Chrome on Android`. */
    label: string;
    created_at: number;
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
