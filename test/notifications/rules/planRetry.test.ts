import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  FIRST_RETRY_MS,
  LONGEST_RETRY_MS,
  parseRetryAfter,
  planRetry,
} from '../../../src/notifications/rules/planRetry.ts';

const test = suite('notifications: when a channel is tried again');

test('the wait doubles up to an hour', () => {
  const waits = [1, 2, 3, 50].map((failures) => planRetry(0, failures, null));
  assert.equal(waits, [FIRST_RETRY_MS, 2 * FIRST_RETRY_MS, 4 * FIRST_RETRY_MS, LONGEST_RETRY_MS]);
});

test('a channel may ask for a longer wait, up to a day, and not for a shorter one', () => {
  assert.is(planRetry(0, 1, 90_000), 90_000);
  assert.is(planRetry(0, 1, 1_000), FIRST_RETRY_MS);
  assert.is(planRetry(0, 1, 999_000_000_000), 86_400_000);
});

test('Retry-After is seconds or a date', () => {
  const now = Date.parse('Wed, 21 Oct 2026 07:28:00 GMT');
  assert.is(parseRetryAfter('30', now), 30_000);
  assert.is(parseRetryAfter('0.65', now), 650);
  assert.is(parseRetryAfter('Wed, 21 Oct 2026 07:29:00 GMT', now), 60_000);
  assert.is(parseRetryAfter('Wed, 21 Oct 2026 07:00:00 GMT', now), 0);
  assert.is(parseRetryAfter('soon', now), null);
  assert.is(parseRetryAfter(null, now), null);
});

test.run();
