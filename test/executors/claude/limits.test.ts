import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Limits } from '../../../src/executors/claude/limits.ts';

const test = suite('limits that Claude Code reports');

const NOW = Date.UTC(2026, 10, 22, 12);
const limitsNow = () => new Limits(() => ({ now: NOW, zone: 'UTC' }));

const retry = (delay: number, more = {}) => ({
  type: 'system',
  subtype: 'api_retry',
  attempt: 1,
  max_retries: 10,
  retry_delay_ms: delay,
  error_status: 529,
  ...more,
});
const rejected = (resetsAt: number) => ({
  type: 'rate_limit_event',
  rate_limit_info: { status: 'rejected', resetsAt, rateLimitType: 'five_hour' },
});

test('a wait of its own is reported', () => {
  assert.equal(limitsNow().take(retry(60_000)), {
    line: "The model's endpoint could not answer (529); try 2 of 11 in 60 s.",
    quota: null,
  });
});

test('its waits together are bounded by 120 s', () => {
  const limits = limitsNow();
  limits.take(retry(60_000));
  assert.equal(limits.take(retry(61_000)).quota, {
    error: "The model's endpoint takes no requests (529) after 1 tries.",
    hit: { kind: 'overloaded', window: null, resetsAt: null },
  });
});

test('an answer of the model restarts the count of its waits', () => {
  const limits = limitsNow();
  limits.take(retry(60_000));
  limits.take({ type: 'stream_event', event: { type: 'message_start' } });
  assert.is(limits.take(retry(61_000)).quota, null);
});

test('one long wait is the time of the reset', () => {
  const { quota } = limitsNow().take(retry(300_000, { error_status: 429 }));
  assert.equal(quota?.hit, { kind: 'throttled', window: null, resetsAt: NOW + 300_000 });
});

test('a wait for another failure is no limit', () => {
  assert.equal(limitsNow().take(retry(900_000, { error_status: 500 })), {
    line: "The model's endpoint could not answer (500); try 2 of 11 in 900 s.",
    quota: null,
  });
});

test('a turn that ends at a limit knows window and reset of a rate_limit_event', () => {
  const limits = limitsNow();
  const resetsAt = NOW / 1_000 + 7_200;
  limits.take(rejected(resetsAt));
  const message = "You've hit your session limit";
  assert.equal(limits.takeTurnQuota({ is_error: true }, message), {
    error: message,
    hit: { kind: 'exhausted', window: '5 hours', resetsAt: resetsAt * 1_000 },
  });
});

test('an answer that a limit has cut is a throttle, though no word says it', () => {
  const limits = limitsNow();
  limits.take({ type: 'assistant', error: 'rate_limit' });
  assert.equal(limits.takeTurnQuota({ is_error: true }, 'no words'), {
    error: 'no words',
    hit: { kind: 'throttled', window: null, resetsAt: null },
  });
});

test('a model that does not exist is no limit', () => {
  assert.is(
    limitsNow().takeTurnQuota({ is_error: true, api_error_status: 404 }, 'no such model'),
    null,
  );
});

test('the status of a failed turn tells a limit', () => {
  const quota = limitsNow().takeTurnQuota({ is_error: true, api_error_status: 429 }, 'API Error');
  assert.is(quota?.hit.kind, 'throttled');
});

test('missing money stays missing, whatever a window says', () => {
  const limits = limitsNow();
  limits.take(rejected(NOW / 1_000 + 7_200));
  const quota = limits.takeTurnQuota({ is_error: true }, 'Credit balance is too low');
  assert.equal(quota?.hit, { kind: 'billing', window: null, resetsAt: null });
});

test.run();
