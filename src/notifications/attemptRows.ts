import type { RowChange } from '../contract/records/changes.ts';
import type { Tables } from '../contract/records/tables.ts';
import type { SendOutcome } from './channels/channel.ts';
import { GIVE_UP_AFTER_MS, planRetry } from './rules/planRetry.ts';

type MessageRow = Tables['notification_messages'];
type ChannelRow = Tables['notification_channels'];
type Change = RowChange<'notification_messages' | 'notification_channels'>;

const patchMessage = (id: string, set: Partial<MessageRow>): Change => ({
  op: 'patch',
  table: 'notification_messages',
  key: { id },
  set,
});

/**
 * What is written before an attempt. From then on the message does not change any more, and one that
 * must not go out twice is never tried again unless this attempt was surely refused.
 */
export const beginAttempt = (
  { id, attempts }: Pick<MessageRow, 'id' | 'attempts'>,
  repeats: boolean,
): Change =>
  patchMessage(id, { attempts: attempts + 1, ...(repeats ? {} : { state: 'sending' as const }) });

/** Of a message that is not sent, because everything in it was settled. */
export const dropAsObsolete = (id: string, now: number): Change =>
  patchMessage(id, { state: 'obsolete', settled_at: now });

/** What a start makes of an attempt that a crash has cut off. */
export const settleCutOff = (id: string, now: number): Change =>
  patchMessage(id, {
    state: 'unknown',
    settled_at: now,
    error: 'The runner ended during the attempt, so it may have been delivered.',
  });

/** What an attempt has brought about: the message, and how its channel works. */
export function settleAttempt(
  message: Pick<MessageRow, 'id' | 'channel' | 'created_at'>,
  channel: ChannelRow | undefined,
  { outcome, repeats, now }: { outcome: SendOutcome; repeats: boolean; now: number },
): Change[] {
  const { id } = message;
  if (outcome.is === 'delivered')
    return [
      patchMessage(id, {
        state: 'sent',
        settled_at: now,
        error: null,
        handle: outcome.handle ?? null,
      }),
      putChannel(message.channel, { sent_at: now }),
    ];
  const { problem: error } = outcome;
  if (outcome.is === 'gone') return [patchMessage(id, { state: 'failed', settled_at: now, error })];
  const failures = (channel?.failures ?? 0) + 1;
  const isLost = outcome.is === 'uncertain' && !repeats;
  const isFinal = outcome.is === 'refused' && outcome.final;
  const isOver = isFinal || now - message.created_at >= GIVE_UP_AFTER_MS;
  const askedMs = outcome.is === 'refused' ? outcome.retryAfterMs : null;
  return [
    patchMessage(id, {
      error,
      state: isLost ? 'unknown' : isOver ? 'failed' : 'waiting',
      settled_at: isLost || isOver ? now : null,
    }),
    putChannel(message.channel, {
      failures,
      failing_since: channel?.failing_since ?? now,
      error,
      // What is wrong with one message alone does not hold the next one.
      retry_at: isFinal ? null : planRetry(now, failures, askedMs),
      sent_at: channel?.sent_at ?? null,
    }),
  ];
}

/** Of a channel that did not take the change of a message: it is tried again. */
export function noteFailedChange(
  channel: string,
  state: ChannelRow | undefined,
  { outcome, now }: { outcome: Extract<SendOutcome, { is: 'refused' }>; now: number },
): Change[] {
  const failures = (state?.failures ?? 0) + 1;
  return [
    putChannel(channel, {
      failures,
      failing_since: state?.failing_since ?? now,
      error: outcome.problem,
      retry_at: planRetry(now, failures, outcome.retryAfterMs),
      sent_at: state?.sent_at ?? null,
    }),
  ];
}

/** Of a channel that took a change after it had failed. */
export const noteWorking = (channel: string, state: ChannelRow | undefined): Change[] =>
  state === undefined || state.failures === 0
    ? []
    : [putChannel(channel, { sent_at: state.sent_at })];

const putChannel = (channel: string, set: Partial<ChannelRow>): Change => ({
  op: 'put',
  table: 'notification_channels',
  row: {
    channel,
    failures: 0,
    failing_since: null,
    error: null,
    retry_at: null,
    sent_at: null,
    ...set,
  },
});
