import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Account } from '../../../src/policy/budgets/admitSession.ts';
import type { CappedPhase } from '../../../src/jobs/terms/enforcement.ts';
import { describeUnattendedTerms } from '../../../src/jobs/terms/checkUnattendedTerms.ts';
import { createCap } from '../../support/caps.ts';
import { JOB_WORKFLOW } from '../../support/charts/jobSteps.ts';

const test = suite('what a job may do that works unattended');

const UNTIL = '2026-11-23T08:00:00.000Z';
const OWN = 'workflows/job.md';
const CODING: CappedPhase = {
  workflowPath: OWN,
  name: 'coding',
  fallback: null,
  provider: 'builtin',
  model: 'm',
  call: {
    metered: true,
    isListed: true,
    microUsd: 1,
    reportsUsage: 'each-call',
    stopsBetweenCalls: true,
  },
  accounts: [],
};

const terms = (params: Record<string, unknown>, accounts: Account[], phase = CODING) =>
  describeUnattendedTerms(
    {
      workflowPath: OWN,
      workflow: JOB_WORKFLOW,
      params: { unattended: { until: UNTIL }, ...params },
      interactive: false,
    },
    { accounts, phases: [{ ...phase, accounts }] },
  ).join('\n');

test('it says until when it works', () => {
  assert.match(terms({}, []), new RegExp(`It works until ${UNTIL}\\.`));
});

test('it says what it may spend', () => {
  assert.match(terms({}, [createCap('usd')]), /^day: at most \$50\.00 \(config\)$/m);
});

test('it says that it may spend without a bound', () => {
  assert.match(terms({}, []), /its spending is unlimited/);
});

test('it says where people have to decide', () => {
  assert.match(terms({}, []), /It waits for a person at the end of planning\./);
});

test('it says that no one has to decide', () => {
  assert.match(terms({ autoApprove: true }, []), /No phase waits for an approval\./);
});

test('it says who runs its phases', () => {
  assert.match(terms({}, []), /^coding is run by builtin, model m$/m);
});

test('it says by how much a session can exceed its caps (JOB-16)', () => {
  assert.match(
    terms({}, [createCap('usd')]),
    /^coding is .*; a session can exceed its caps by at most one call of its model$/m,
  );
});

test('it says what an executor that is interrupted can still use', () => {
  const call = { ...CODING.call, stopsBetweenCalls: false };
  assert.match(
    terms({}, [createCap('usd')], { ...CODING, call }),
    /exceed its caps by the calls of its model that begin before it is interrupted$/m,
  );
});

test('it says that an executor reports at the end of a turn', () => {
  const call = { ...CODING.call, reportsUsage: 'each-turn' as const, stopsBetweenCalls: false };
  assert.match(
    terms({}, [createCap('usd')], { ...CODING, call }),
    /exceed its caps by the usage of the rest of the turn/,
  );
});

const FREE = { ...CODING, call: { ...CODING.call, metered: false } };

test('a phase that costs no dollars is capped by what else is capped (JOB-16)', () => {
  assert.match(
    terms({}, [createCap('usd'), createCap('sessions')], FREE),
    /^coding is .*; its calls cost no dollars, so it is capped by 10 sessions \(day\)$/m,
  );
});

test('a phase that costs no dollars and has no other cap is stopped by the time alone', () => {
  assert.match(
    terms({}, [createCap('usd')], FREE),
    /^coding is run by builtin, model m; its calls cost no dollars, so that only the time stops it$/m,
  );
});

test('it names the workflow of a phase that is not its own', () => {
  assert.match(
    terms({}, [], { ...CODING, workflowPath: 'workflows/sub-run.md' }),
    /^coding of workflows\/sub-run\.md is run by/m,
  );
});

test('it names the fallback that runs a phase meanwhile', () => {
  assert.match(
    terms({}, [], { ...CODING, fallback: 'cheap' }),
    /^coding, while the account of its model is exhausted \(fallback cheap\), is run by/m,
  );
});

test.run();
