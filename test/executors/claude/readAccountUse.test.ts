import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readAccountUse } from '../../../src/executors/claude/readAccountUse.ts';

const test = suite('how full the account of Claude Code is');

const RESET_S = 1_790_982_000;
const event = (info: object) => ({ type: 'rate_limit_event', rate_limit_info: info });

test('the fullest of its windows counts', () => {
  const use = readAccountUse(
    event({
      status: 'allowed_warning',
      rateLimitType: 'seven_day',
      utilization: 0.86,
      resetsAt: RESET_S,
      unifiedWindows: {
        five_hour: { utilization: 0.93, resetsAt: RESET_S - 3_600 },
        seven_day: { utilization: 0.86, resetsAt: RESET_S },
      },
    }),
  );
  assert.equal(use, { used: 0.93, window: '5 hours', resetsAt: (RESET_S - 3_600) * 1_000 });
});

test('an older program names one window', () => {
  const use = readAccountUse(
    event({
      status: 'allowed_warning',
      rateLimitType: 'seven_day',
      utilization: 0.97,
      resetsAt: RESET_S,
    }),
  );
  assert.equal(use, { used: 0.97, window: '7 days', resetsAt: RESET_S * 1_000 });
});

test('an event without numbers says nothing of it', () => {
  assert.is(readAccountUse(event({ status: 'allowed', resetsAt: RESET_S })), null);
});

test('other messages say nothing of it', () => {
  assert.is(readAccountUse({ type: 'assistant', utilization: 0.5 }), null);
});

test.run();
