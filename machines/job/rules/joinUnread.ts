import type { UnreadInbox } from '../unreadInbox.ts';
import { isPrEnd } from './wakeMatch.ts';

/** Whether it names the pull requests of its merges and closes; svc 0.2 did not. */
const hasNamedEnds = ({ kinds, over }: UnreadInbox): boolean =>
  over !== undefined || !kinds.some(isPrEnd);

const dropDuplicates = (all: readonly string[]): string[] => [...new Set(all)];

/** Joins unread items; `first` is older. */
export function joinUnread(first: UnreadInbox, second: UnreadInbox): UnreadInbox {
  const over = dropDuplicates([...(first.over ?? []), ...(second.over ?? [])]);
  return {
    messages: first.messages + second.messages,
    kinds: dropDuplicates([...first.kinds, ...second.kinds]),
    ...(over.length > 0 && hasNamedEnds(first) && hasNamedEnds(second) ? { over } : {}),
  };
}

/** With one more event. */
export const addUnread = (
  unread: UnreadInbox,
  { kind, prId }: { kind: string; prId: string },
): UnreadInbox =>
  joinUnread(unread, { messages: 0, kinds: [kind], ...(isPrEnd(kind) ? { over: [prId] } : {}) });
