/** Unread inbox items: the number of messages, and the kinds of events (once, oldest first). */
export interface UnreadInbox {
  messages: number;
  kinds: string[];
  /**
   * Pull requests merged or closed among these, once; left out = none, or svc 0.2 received them.
   */
  over?: string[];
}
