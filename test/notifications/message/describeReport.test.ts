import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { describeReport } from '../../../src/notifications/message/describeReport.ts';

const test = suite('notifications: a report in a message');

const JOBS = {
  complete: 0,
  partial: 0,
  failed: 0,
  cancelled: 0,
  working: 0,
  queued: 0,
  waiting: 0,
};
const COST = {
  usd: 0,
  unpriced: 0,
  calls: 0,
  estimated: 0,
  sessions: 0,
  ms: 0,
  inputTokens: 0,
  outputTokens: 0,
  cachedInputTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
  unreported: 0,
};
const NO_NEEDS = { me: 0, decide: 0, review: 0, broken: 0, snoozed: 0, proposals: 0 };

test('what needs a person is the number of the dashboard, proposals included (OPS-8)', () => {
  const needs = { ...NO_NEEDS, me: 9, decide: 8, broken: 1, proposals: 1 };
  assert.match(describeReport({ jobs: JOBS, needs, cost: COST }), /\b10 need you\b/);
  assert.match(describeReport({ jobs: JOBS, needs: NO_NEEDS, cost: COST }), /Nothing needs you/);
});

test.run();
