import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  readAgentQuota,
  collectErrorWords,
} from '../../../../src/executors/process/quota/readAgentQuota.ts';
import { readAnswerQuota } from '../../../../src/executors/process/quota/readAnswerQuota.ts';
import { readHeaderUse } from '../../../../src/executors/process/quota/readHeaderWindows.ts';
import { parseQuotaDurationMs, toEpochMs } from '../../../../src/executors/process/quota/times.ts';
import { computeNextWallTime } from '../../../../src/executors/process/quota/computeNextWallTime.ts';
import { ANSWER_ROWS, NOW } from './answerRows.ts';
import { WORD_ROWS, ZONE } from './wordRows.ts';

const test = suite('limits of models');

const place = { now: NOW, zone: ZONE };
const H = 3_600_000;

for (const { what, source, answer, hit } of ANSWER_ROWS) {
  test(`an answer: ${what} (${source})`, () => {
    assert.equal(readAnswerQuota(answer, place), hit);
  });
}

for (const { words, source, hit } of WORD_ROWS) {
  test(`words: ${words.slice(0, 90)} (${source})`, () => {
    assert.equal(readAgentQuota(new Error(words), words, place), hit);
  });
}

const of = (error: unknown) => readAgentQuota(error, collectErrorWords(error), place);

test('an error of an agent: a status, a code or a word tells a limit', () => {
  for (const [error, kind] of [
    [{ code: 429, message: 'no' }, 'throttled'],
    [{ message: 'Internal error', data: { statusCode: 529 } }, 'overloaded'],
    [{ message: 'x', data: { error: { type: 'rate_limit_error' } } }, 'throttled'],
    [{ message: 'Too Many Requests' }, 'throttled'],
    [{ code: -32603, message: 'RESOURCE_EXHAUSTED' }, 'exhausted'],
    [
      { code: -32603, message: 'no', data: { codexErrorInfo: 'x', code: 'usage_limit_reached' } },
      'exhausted',
    ],
  ] as const) {
    assert.equal(of(error)?.kind, kind, JSON.stringify(error));
  }
});

test('an error of an agent that is no limit is distinguished from one', () => {
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

test('the time of a reset is read as seconds, milliseconds, a date or a wait', () => {
  const at = NOW / 1_000 + 600;
  for (const [error, resetsAt] of [
    [{ code: 429, data: { resets_at: at } }, at * 1_000],
    [{ code: 429, data: { resetsAt: at * 1_000 } }, at * 1_000],
    [{ code: 429, data: { resetsAt: '2026-11-22T13:00:00Z' } }, NOW + H],
    [{ code: 429, data: { retry_after: 90 } }, NOW + 90_000],
    [{ message: 'rate limit; retry after 45 seconds' }, NOW + 45_000],
    [{ code: 429, data: { resets_at: 'soon' } }, null],
  ] as const) {
    assert.is(of(error)?.resetsAt, resetsAt, JSON.stringify(error));
  }
});

test('what is no epoch time is none', () => {
  for (const value of [0, -5, null, 'x', {}]) assert.is(toEpochMs(value), null, String(value));
});

test('durations are read in every form that endpoints and agents use', () => {
  for (const [text, ms] of [
    ['6m0s', 360_000],
    ['12ms', 12],
    ['1h2m3.5s', 3_723_500],
    ['5 days 22 hours 11 minutes', 511_860_000],
    ['2 hours and 5 minutes', 7_500_000],
    ['7', 7_000],
    ['soon', null],
    ['3pm', null],
  ] as const) {
    assert.is(parseQuotaDurationMs(text), ms, text);
  }
});

test('a time of day that is over today is that of tomorrow', () => {
  assert.is(
    computeNextWallTime({ hour: 12, minute: 30 }, ZONE, NOW),
    Date.UTC(2026, 10, 23, 11, 30),
  );
});

test('a time of day on the day on which clocks change counts as it is then', () => {
  const march = Date.UTC(2026, 2, 28, 20);
  assert.is(
    computeNextWallTime({ month: 3, day: 29, hour: 12, minute: 0 }, ZONE, march),
    Date.UTC(2026, 2, 29, 10),
  );
});

test('a zone that does not exist names no time', () => {
  assert.is(computeNextWallTime({ hour: 3, minute: 0 }, 'Mars/Base', NOW), null);
});

test('a good answer of a subscription shows the window that decides', () => {
  const headers = {
    'anthropic-ratelimit-unified-status': 'allowed',
    'anthropic-ratelimit-unified-representative-claim': 'five_hour',
    'anthropic-ratelimit-unified-5h-utilization': '0.02',
    'anthropic-ratelimit-unified-5h-reset': String((NOW + 2 * H) / 1_000),
    'anthropic-ratelimit-unified-7d-utilization': '0.737',
    'anthropic-ratelimit-unified-7d-reset': String((NOW + 90 * H) / 1_000),
  };
  // https://github.com/anthropics/claude-code/issues/12829
  assert.equal(readHeaderUse(headers, NOW), {
    used: 0.02,
    window: '5 hours',
    resetsAt: NOW + 2 * H,
  });
});

test('where none is said to decide, the fullest window counts', () => {
  const headers = {
    'x-codex-primary-used-percent': '12',
    'x-codex-primary-window-minutes': '300',
    'x-codex-primary-reset-after-seconds': '3600',
    'x-codex-secondary-used-percent': '91',
    'x-codex-secondary-window-minutes': '10080',
    'x-codex-secondary-reset-after-seconds': '360000',
  };
  assert.equal(readHeaderUse(headers, NOW), {
    used: 0.91,
    window: '7 days',
    resetsAt: NOW + 100 * H,
  });
});

test('a window of a minute is no news', () => {
  const headers = {
    'x-ratelimit-limit-requests': '100',
    'x-ratelimit-remaining-requests': '1',
    'x-ratelimit-reset-requests': '59s',
  };
  assert.is(readHeaderUse(headers, NOW), null);
});

test.run();
