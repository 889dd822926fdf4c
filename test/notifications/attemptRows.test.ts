import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { SendOutcome } from '../../src/notifications/channels/channel.ts';
import { beginAttempt, settleAttempt } from '../../src/notifications/attemptRows.ts';
import { FIRST_RETRY_MS, GIVE_UP_AFTER_MS } from '../../src/notifications/rules/planRetry.ts';

const test = suite('notifications: what an attempt has brought about');

const MESSAGE = { id: 'm1', channel: 'chat', created_at: 0 };
const REFUSED: SendOutcome = {
  is: 'refused',
  problem: 'answered 429',
  final: false,
  retryAfterMs: null,
};
const UNCERTAIN: SendOutcome = { is: 'uncertain', problem: 'did not answer in time' };

/** State of the message, and when the channel is tried again. */
function settle(outcome: SendOutcome, { repeats = false, now = 1_000 } = {}) {
  const [message, channel] = settleAttempt(MESSAGE, undefined, { outcome, repeats, now });
  return [
    message?.op === 'patch' && Object(message.set).state,
    channel?.op === 'put' && Object(channel.row).retry_at,
  ];
}

test('a message that must not go out twice is marked before it goes out', () => {
  const attempt = (repeats: boolean) => {
    const change = beginAttempt({ id: 'm1', attempts: 2 }, repeats);
    return change.op === 'patch' && change.set;
  };
  assert.equal(attempt(false), { attempts: 3, state: 'sending' });
  assert.equal(attempt(true), { attempts: 3 });
});

test('a refused message waits for the channel, which is tried again later', () => {
  assert.equal(settle(REFUSED), ['waiting', 1_000 + FIRST_RETRY_MS]);
  assert.equal(settle({ ...REFUSED, retryAfterMs: 60_000 }), ['waiting', 61_000]);
});

test('one whose delivery is unknown is sent again only where its receiver knows repeats', () => {
  assert.equal(settle(UNCERTAIN), ['unknown', 1_000 + FIRST_RETRY_MS]);
  assert.equal(settle(UNCERTAIN, { repeats: true }), ['waiting', 1_000 + FIRST_RETRY_MS]);
});

test('one that is refused for its content is given up, and does not hold the next one', () => {
  assert.equal(settle({ ...REFUSED, final: true }), ['failed', null]);
});

test('after three days it is given up', () => {
  assert.equal(settle(REFUSED, { now: GIVE_UP_AFTER_MS })[0], 'failed');
  assert.equal(settle(UNCERTAIN, { repeats: true, now: GIVE_UP_AFTER_MS })[0], 'failed');
});

test('a delivery ends the failures of its channel', () => {
  const before = {
    channel: 'chat',
    failures: 4,
    failing_since: 1,
    error: 'x',
    retry_at: 9,
    sent_at: 0,
  };
  const outcome = { is: 'delivered' } as const;
  const [, channel] = settleAttempt(MESSAGE, before, { outcome, repeats: false, now: 20 });
  assert.equal(channel?.op === 'put' && channel.row, {
    channel: 'chat',
    failures: 0,
    failing_since: null,
    error: null,
    retry_at: null,
    sent_at: 20,
  });
});

test.run();
