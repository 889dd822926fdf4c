import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Account } from '../../../src/policy/budgets/admitSession.ts';
import type { PhaseCalls } from '../../../src/policy/budgets/budgetDeps.ts';
import {
  type CappedPhase,
  Enforcement,
  refuseUnenforced,
} from '../../../src/jobs/terms/enforcement.ts';
import { createCap } from '../../support/caps.ts';
import { JOB_WORKFLOW } from '../../support/charts/jobSteps.ts';
import { catchRefusal } from '../../support/refusal.ts';

const test = suite('caps of jobs that work unattended');

const CALL: PhaseCalls = {
  metered: true,
  isListed: true,
  microUsd: 1,
  reportsUsage: 'never',
  stopsBetweenCalls: false,
};
const OWN = 'workflows/job.md';

const phase = (changed: Partial<CappedPhase>): CappedPhase => ({
  workflowPath: OWN,
  name: 'coding',
  fallback: null,
  provider: 'some',
  model: null,
  call: CALL,
  accounts: [createCap('usd')],
  ...changed,
});
const catchUnenforced = (changed: Partial<CappedPhase>) =>
  catchRefusal(async () => refuseUnenforced([phase(changed)], OWN));
const isTaken = (changed: Partial<CappedPhase>) =>
  assert.not.throws(() => refuseUnenforced([phase(changed)], OWN));

for (const metric of ['usd', 'tokens'] as const)
  test(`a cap of ${metric} is refused for an executor that never reports (JOB-16)`, async () => {
    assert.is((await catchUnenforced({ accounts: [createCap(metric)] })).code, 'cannot-run');
  });

test('the refusal names the phase, its executor and the cap', async () => {
  const { message } = await catchUnenforced({});
  assert.match(
    message,
    /the cap of \$50\.00 for the day .* in the phase coding, because some is not/,
  );
});

test('the refusal names a workflow that is not the one of the job', async () => {
  const { message } = await catchUnenforced({ workflowPath: 'workflows/other.md' });
  assert.match(message, /in the phase coding of workflows\/other\.md, because/);
});

test('the refusal names the fallback that could not be kept to the cap', async () => {
  assert.match(
    (await catchUnenforced({ fallback: 'cheap' })).message,
    /with its fallback cheap, because/,
  );
});

for (const reportsUsage of ['each-call', 'each-turn'] as const)
  test(`an executor that reports ${reportsUsage} can be capped by tokens`, () => {
    isTaken({ accounts: [createCap('tokens')], call: { ...CALL, reportsUsage } });
  });

test('minutes, sessions and visits are counted for every executor', () => {
  isTaken({ accounts: [createCap('minutes'), createCap('sessions'), createCap('visits')] });
});

test('a cap on dollars is none for calls that cost none', () => {
  isTaken({ call: { ...CALL, metered: false } });
});

test('a cap on tokens holds for calls that cost nothing', async () => {
  const input = { accounts: [createCap('tokens')], call: { ...CALL, metered: false } };
  assert.is((await catchUnenforced(input)).code, 'cannot-run');
});

const queries: unknown[] = [];
const enforcement = new Enforcement({
  settings: {
    llm: {
      defaultProvider: 'builtin',
      aliases: {
        planning: { provider: 'builtin', model: 'big', fallback: 'cheap' },
        cheap: { provider: 'command', model: 'small' },
      },
    },
  },
  callPrice: () => CALL,
  budgets: {
    accountsOfNew(facts): Account[] {
      queries.push([facts.id, facts.root]);
      return [createCap('usd')];
    },
  },
  findRoot: () => 'top',
});
const job = (params: Record<string, unknown> = {}) => ({
  workflowPath: OWN,
  workflow: JOB_WORKFLOW,
  params,
  interactive: false,
});

test('a phase counts with its own model and with each fallback', () => {
  const phases = JOB_WORKFLOW.phases.map((one) => ({ ...one, model: 'planning' }));
  const entries = enforcement
    .phases({ ...job(), workflow: { ...JOB_WORKFLOW, phases } })
    .filter(({ name }) => name === 'planning');
  assert.equal(
    entries.map(({ fallback, provider, model }) => [fallback, provider, model]),
    [
      [null, 'builtin', 'big'],
      ['cheap', 'command', 'small'],
    ],
  );
});

test('a phase without an agent needs no cap', () => {
  const phases = JOB_WORKFLOW.phases.map((one) => ({ ...one, agent: null }));
  assert.equal(enforcement.phases({ ...job(), workflow: { ...JOB_WORKFLOW, phases } }), []);
});

test('a sub-run that is yet to be made is under the budgets of the campaign above it', () => {
  const above = createCap('tokens');
  assert.ok(enforcement.phases(job(), [above]).every(({ accounts }) => accounts.includes(above)));
});

test('a sub-run is under the budget of the job at the top', () => {
  enforcement.accounts(job({ parentJobId: 'middle' }));
  assert.equal(queries.at(-1), ['', 'top']);
});

test('a job that exists is under the caps that people have set for it', () => {
  enforcement.accounts({ ...job(), id: 'job-1' });
  assert.equal(queries.at(-1), ['job-1', 'job-1']);
});

test.run();
