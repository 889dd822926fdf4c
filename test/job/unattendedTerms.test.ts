import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Account } from '../../src/budgets/admit.ts';
import { refuseUnenforced, unattendedTerms } from '../../src/job/unattendedTerms.ts';
import { refusalOf } from '../support/refusal.ts';
import { JOB_WORKFLOW } from '../support/charts/jobSteps.ts';

const test = suite('what a job may do that works unattended');

const UNTIL = '2026-11-23T08:00:00.000Z';
const job = (params: Record<string, unknown> = {}) => ({
  workflowPath: 'workflows/job.md',
  workflow: JOB_WORKFLOW,
  params: { unattended: { until: UNTIL }, ...params },
  interactive: false,
});
const by = (defaultProvider: string) => ({ settings: { llm: { defaultProvider, aliases: {} } } });
const cap = (metric: Account['metric']): Account => ({
  scope: 'day',
  key: '',
  window: '2026-11-22',
  metric,
  cap: metric === 'usd' ? 50_000_000 : 10,
  by: 'config',
  spent: 0,
  held: 0,
});

for (const provider of ['command', 'acp:codex', 'installed'])
  for (const metric of ['usd', 'tokens'] as const)
    test(`a cap of ${metric} cannot be enforced for ${provider} (JOB-16)`, async () => {
      const refusal = await refusalOf(async () =>
        refuseUnenforced(job(), { ...by(provider), accounts: [cap(metric)] }),
      );
      assert.is(refusal.code, 'cannot-run');
      assert.match(
        refusal.message,
        new RegExp(`in the phase planning, because ${provider} is not`),
      );
    });

test('minutes and sessions are counted for every executor', () => {
  const accounts = [cap('minutes'), cap('sessions')];
  assert.not.throws(() => refuseUnenforced(job(), { ...by('command'), accounts }));
});

test('an executor that reports its tokens may be capped by them', () => {
  assert.not.throws(() => refuseUnenforced(job(), { ...by('builtin'), accounts: [cap('usd')] }));
});

const terms = (params: Record<string, unknown>, accounts: Account[]) =>
  unattendedTerms(job(params), { ...by('builtin'), accounts }).join('\n');

test('it says until when it works', () => {
  assert.match(terms({}, []), new RegExp(`It works until ${UNTIL}\\.`));
});

test('it says what it may spend, and that it may spend without a bound', () => {
  assert.match(terms({}, [cap('usd')]), /^day: at most \$50\.00 \(config\)$/m);
  assert.match(terms({}, []), /it may spend without a bound/);
});

test('it says where people have to decide', () => {
  assert.match(terms({}, []), /It waits for a person at the end of planning\./);
  assert.match(terms({ autoApprove: true }, []), /No phase waits for an approval\./);
});

test('it says who runs its phases', () => {
  assert.match(terms({}, []), /^coding is run by builtin, which stops between two calls/m);
});

test.run();
