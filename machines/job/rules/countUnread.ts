import type { Unread } from '../unread.ts';
import { isOver } from './wakeMatch.ts';

/** Whether it says of which pull requests its merges and closes are; svc 0.2 did not. */
const isNamed = ({ kinds, over }: Unread): boolean => over !== undefined || !kinds.some(isOver);

const once = (all: readonly string[]): string[] => [...new Set(all)];

/** What is unread in both, the first of them older. */
export function joinUnread(first: Unread, second: Unread): Unread {
  const over = once([...(first.over ?? []), ...(second.over ?? [])]);
  return {
    messages: first.messages + second.messages,
    kinds: once([...first.kinds, ...second.kinds]),
    ...(over.length > 0 && isNamed(first) && isNamed(second) ? { over } : {}),
  };
}

/** With one more event. */
export const addUnread = (unread: Unread, { kind, prId }: { kind: string; prId: string }): Unread =>
  joinUnread(unread, { messages: 0, kinds: [kind], ...(isOver(kind) ? { over: [prId] } : {}) });
