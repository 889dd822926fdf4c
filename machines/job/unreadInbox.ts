/**
 * Inbox items that no agent was given yet: how many messages, and which kinds of PR events (each
 * once, oldest first).
 */
export interface UnreadInbox {
  messages: number;
  kinds: string[];
  /**
   * Ids of the pull requests whose merge or close is among them, each once; left out = none, or
   * what is unread was received by svc 0.2.
   */
  over?: string[];
}
