import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { epochMs, quotaIn, wordsIn } from '../../../src/executors/process/quotaSigns.ts';
import { Limits } from '../../../src/executors/claude/limits.ts';

const test = suite('signs of a limit of a model');

const NOW = Date.UTC(2026, 10, 22, 12);
const of = (error: unknown) => quotaIn(error, wordsIn(error), NOW);

test('a status, a word or a nested code tells a limit; anything else does not', () => {
  for (const error of [
    { code: 429, message: 'no' },
    { message: 'Internal error', data: { statusCode: 529 } },
    { message: 'API Error: Overloaded' },
    { message: 'RESOURCE_EXHAUSTED' },
    { message: 'x', data: { error: { type: 'rate_limit_error' } } },
    { message: 'You exceeded your current quota' },
    { message: 'Too Many Requests' },
  ]) {
    assert.equal(of(error), { resetsAt: null }, JSON.stringify(error));
  }
  for (const error of [
    { code: 401, message: 'invalid key' },
    { code: 404, message: 'no such model' },
    { code: -32603, message: 'context limit exceeded' },
    { message: 'the output limit of max_tokens is reached' },
    'no object',
    null,
  ]) {
    assert.is(of(error), null, JSON.stringify(error));
  }
});

test('the time of the reset is read as seconds, milliseconds, a date, a wait, or from the words', () => {
  const at = Math.floor(NOW / 1_000) + 600;
  for (const [error, resetsAt] of [
    [{ code: 429, data: { resets_at: at } }, at * 1_000],
    [{ code: 429, data: { resetsAt: at * 1_000 } }, at * 1_000],
    [{ code: 429, data: { resetsAt: '2026-11-22T13:00:00Z' } }, NOW + 3_600_000],
    [{ code: 429, data: { retry_after: 90 } }, NOW + 90_000],
    [{ message: `usage limit reached|${at}` }, at * 1_000],
    [{ message: 'Rate limit reached. Please try again in 2h 30m.' }, NOW + 9_000_000],
    [{ message: 'rate limit; retry after 45 seconds' }, NOW + 45_000],
    [{ code: 429, data: { resets_at: 'soon' } }, null],
  ] as const) {
    assert.equal(of(error), { resetsAt }, JSON.stringify(error));
  }
  assert.equal(epochMs(0), null);
  assert.equal(epochMs(-5), null);
  assert.equal(epochMs(null), null);
  assert.equal(epochMs('x'), null);
  assert.equal(epochMs({}), null);
});

const retry = (delay: number, more = {}) => ({
  type: 'system',
  subtype: 'api_retry',
  attempt: 1,
  max_retries: 10,
  retry_delay_ms: delay,
  error_status: 529,
  ...more,
});

test('claude: its waits are reported, and together bounded by 120 s; an answer of the model restarts the count', () => {
  const limits = new Limits(() => NOW);
  assert.equal(limits.take(retry(60_000)), {
    line: "The model's endpoint could not answer (529); try 2 of 11 in 60 s.",
    quota: null,
  });
  limits.take({ type: 'stream_event', event: { type: 'message_start' } });
  assert.is(limits.take(retry(61_000)).quota, null);
  assert.equal(limits.take(retry(61_000)).quota, {
    error: "The model's endpoint takes no requests (529) after 1 tries.",
    resetsAt: null,
  });
  assert.is(
    new Limits(() => NOW).take(retry(300_000, { error_status: 429 })).quota?.resetsAt,
    NOW + 300_000,
  );
  assert.equal(new Limits(() => NOW).take(retry(900_000, { error_status: 500 })), {
    line: "The model's endpoint could not answer (500); try 2 of 11 in 900 s.",
    quota: null,
  });
});

test('claude: a turn that ends at a limit knows the reset of a rate_limit_event', () => {
  const limits = new Limits(() => NOW);
  const resetsAt = Math.floor(NOW / 1_000) + 7_200;
  limits.take({ type: 'rate_limit_event', rate_limit_info: { status: 'rejected', resetsAt } });
  const said = "You've hit your session limit";
  assert.equal(limits.ofTurn({ is_error: true }, said), {
    error: said,
    resetsAt: resetsAt * 1_000,
  });
  const cut = new Limits(() => NOW);
  cut.take({ type: 'assistant', error: 'rate_limit' });
  assert.equal(cut.ofTurn({ is_error: true }, 'no words'), { error: 'no words', resetsAt: null });
  assert.is(cut.ofTurn({ is_error: true, api_error_status: 404 }, 'no such model'), null);
  assert.equal(cut.ofTurn({ is_error: true, api_error_status: 429 }, 'API Error'), {
    error: 'API Error',
    resetsAt: null,
  });
});

test.run();
