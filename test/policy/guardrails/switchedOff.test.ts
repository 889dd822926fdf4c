import { systemClock } from '../../../src/base/time/clock.ts';
import { neverAway } from '../../../src/base/concurrency/unlessAway.ts';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createWriteGuard, type WriteGuardDeps } from '../../../src/forges/outbound/writeGuard.ts';
import { createSessionGuard } from '../../../src/sessions/open/createSessionGuard.ts';
import { PhaseTools } from '../../../src/executors/tools/host/phaseTools.ts';
import { phase, SteppedJob, workflow } from '../../support/charts/jobSteps.ts';
import { FakeJobPort } from '../../support/http/fakeAgentJob.ts';
import { guardrailStage } from './stage.ts';

const off = () => guardrailStage([], { enabled: false });

const CONTEXT = {
  id: 'job-1',
  workflowPath: 'workflows/job.md',
  params: {},
  interactive: false,
  phase: 'coding',
  visit: 1,
  session: 1,
  prs: [],
};

test('switched off, a merge that no one has approved is refused (CFG-4)', async () => {
  const { guardrails, rows } = await off();
  const { ask } = createWriteGuard({
    guardrails,
    rows,
    forges: { get: () => undefined } as Partial<
      WriteGuardDeps['forges']
    > as WriteGuardDeps['forges'],
    readContext: () => CONTEXT as never,
    usdLeft: () => null,
    now: () => 0,
    takesBranches: true,
  });
  const leave = { problem: 'no one but svc has approved it', args: { repo: 'a', number: 1 } };
  const answer = await ask({ jobId: 'job-1', provider: 'local', operation: 'merge_pr', leave });
  assert.is(answer.problem, 'no one but svc has approved it');
});

test('switched off, a secret that svc knows is taken out of what agents write (CFG-4)', async () => {
  const { guardrails } = await off();
  const port = new FakeJobPort();
  const deps = {
    guardrails,
    readContext: () => CONTEXT as never,
    budgets: { usdLeft: () => null } as never,
    log: async () => {},
  };
  const tools = new PhaseTools(port, [], () => {}, {
    clock: systemClock,
    awaySince: neverAway,
    screen: (text) => text.replaceAll('hunter2', '[secret]'),
    guard: createSessionGuard(deps, { jobId: 'job-1', phase: 'coding', visit: 1, session: 1 }),
  });
  await tools.call('add_insight', { category: 'pattern', text: 'the word is hunter2' });
  assert.match(JSON.stringify(port.sent), 'the word is [secret]');
});

/** A session of a job whose rules are off: whether a call of it gets past them. */
const passes = async (tool: string, args: Record<string, unknown>): Promise<boolean> => {
  const { guardrails } = await off();
  const deps = {
    guardrails,
    readContext: () => CONTEXT as never,
    budgets: { usdLeft: () => null } as never,
    log: async () => {},
  };
  const guard = createSessionGuard(deps, { jobId: 'job-1', phase: 'coding', visit: 1, session: 1 });
  return (await guard(tool, args)).refused === null;
};

test('switched off, a checkpoint still waits for its approval (CFG-4)', async () => {
  const job = new SteppedJob(
    workflow([phase('planning', { interactive_checkpoint: true }), phase('coding')]),
  );
  job.run();
  assert.ok(await passes('goto_phase', { phase: 'coding' }));
  job.goto('coding');
  job.end();
  assert.is(job.at, 'parked.approval');
});

test('switched off, an invariant still forbids a merge (CFG-4, INT-5)', async () => {
  const never = { id: 'no-merge', never: 'merge', unless: [] };
  const job = new SteppedJob(workflow([phase('coding')], { invariants: [never] }));
  job.reach('coding');
  job.createPr(1);
  const args = { repo: 'shop', number: 1 };
  assert.ok(await passes('scm_merge_pr', args));
  assert.not(job.tool('forge_write', { key: 'm', forge: 'local', operation: 'merge_pr', args }));
});

test.run();
