import type { RowChange } from '../../contract/records/changes.ts';
import type { Tables } from '../../contract/records/tables.ts';
import type {
  ChannelSettings,
  NotificationRule,
} from '../../contract/schema/runner/notificationSettings.ts';
import type { Fact, FactSubject } from './fact.ts';
import { findQuietEnd } from './findQuietEnd.ts';
import { isFactWanted } from './isFactWanted.ts';

/** Most facts of one message; more begin another one. */
export const MOST_FACTS_IN_MESSAGE = 100;

type MessageRow = Tables['notification_messages'];

export interface MessagePlan {
  facts: readonly { fact: Fact; subject: FactSubject | null }[];
  rules: readonly NotificationRule[];
  channels: Readonly<Record<string, Pick<ChannelSettings, 'enabled'>>>;
  /** Messages that wait; those that were tried before do not change any more. */
  open: readonly MessageRow[];
  /** Epoch ms. */
  now: number;
  nextId(): string;
}

/**
 * Puts facts into messages: the rows to write in one commit, which also removes the facts. Of each
 * channel the first rule that wants a fact counts, so a channel gets it once. A fact joins a message
 * that still waits, which makes one message of forty approvals.
 */
export function planMessages({
  facts,
  rules,
  channels,
  open,
  now,
  nextId,
}: MessagePlan): RowChange<'notification_facts' | 'notification_messages'>[] {
  const joinable = new Map<string, MessageRow>(
    open
      .filter(({ state, attempts }) => state === 'waiting' && attempts === 0)
      .map((message) => [message.channel, message]),
  );
  const writtenRows = new Map<string, MessageRow>();
  for (const { fact, subject } of facts) {
    const sentTo = new Set<string>();
    for (const rule of rules) {
      const { channel } = rule;
      if (sentTo.has(channel) || channels[channel]?.enabled !== true) continue;
      if (!isFactWanted(rule, fact, subject)) continue;
      sentTo.add(channel);
      const due = findQuietEnd(now + rule.batchSeconds * 1_000, rule.quietHours);
      const message = addFact(joinable.get(channel), { channel, fact, due, now, nextId });
      joinable.set(channel, message);
      writtenRows.set(message.id, message);
    }
  }
  return [
    ...[...writtenRows.values()].map(
      (row) => ({ op: 'put', table: 'notification_messages', row }) as const,
    ),
    ...facts.map(
      ({ fact: { id } }) => ({ op: 'drop', table: 'notification_facts', key: { id } }) as const,
    ),
  ];
}

interface AddedFact extends Pick<MessagePlan, 'now' | 'nextId'> {
  channel: string;
  fact: Fact;
  due: number;
}

/** A message that waits for longer than the fact may, as a quiet night makes it, becomes due earlier. */
function addFact(
  message: MessageRow | undefined,
  { channel, fact, due, now, nextId }: AddedFact,
): MessageRow {
  const facts = message === undefined ? [] : parseFacts(message.facts);
  if (message !== undefined && facts.length < MOST_FACTS_IN_MESSAGE)
    return {
      ...message,
      due_at: Math.min(message.due_at, due),
      facts: JSON.stringify([...facts, fact]),
    };
  return {
    id: `msg_${nextId()}`,
    channel,
    created_at: now,
    due_at: due,
    attempts: 0,
    state: 'waiting',
    error: null,
    settled_at: null,
    facts: JSON.stringify([fact]),
    handle: null,
  };
}

/** The facts of a stored message. */
export const parseFacts = (text: string): Fact[] => JSON.parse(text) as Fact[];
