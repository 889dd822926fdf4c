import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inheritInvariants } from '../../../src/sessions/subRuns/createSubRunPreparer.ts';
import { findForbiddenSwitch } from '../../../src/sessions/agentJob/createSessionPort.ts';
import { parseInvariant } from '../../../src/base/invariants/parseInvariant.ts';
import type { WorkflowTable } from '../../../src/contract/schema/workflow/workflow.ts';
import { phase, SteppedJob, workflow } from '../../support/charts/jobSteps.ts';

const test = suite('invariants: switches of the workflow, and sub-runs');

const rule = (form: Record<string, unknown>) => {
  const { invariant } = parseInvariant({ id: 'the-rule', ...form });
  if (!invariant) throw new Error('the rule is wrong');
  return invariant;
};

const PLANNED = rule({ before: 'coding', need: 'approved(planning)' });
const START = workflow([phase('planning', { interactive_checkpoint: true }), phase('coding')], {
  invariants: [PLANNED],
});

const asks = (job: SteppedJob, target: WorkflowTable, toPhase: string) =>
  findForbiddenSwitch(job.context, {
    type: 'tool.switch_workflow',
    workflowPath: 'workflows/other.md',
    workflow: target,
    toPhase,
    reason: '',
  });

const WITHOUT_PLAN = workflow([phase('thinking'), phase('coding')]);

test('a switch to a workflow that would break a rule of the job is refused, with the path', () => {
  const job = new SteppedJob(START);
  job.run();
  assert.match(
    asks(job, WITHOUT_PLAN, 'thinking')?.why ?? '',
    /held to the invariant the-rule .*would break it: thinking is over; coding begins/,
  );
});

test('what has happened in the job counts', () => {
  const job = new SteppedJob(START);
  job.reach('coding');
  assert.is(asks(job, WITHOUT_PLAN, 'thinking'), null);
});

test('the phase that it switches to is the one that the proof begins with', () => {
  const job = new SteppedJob(workflow([phase('planning')]));
  job.run();
  const target = workflow([phase('planning', { interactive_checkpoint: true }), phase('coding')], {
    invariants: [PLANNED],
  });
  assert.is(asks(job, target, 'planning'), null);
  assert.is(asks(job, target, 'coding')?.rule, 'the-rule');
});

test('another call is not looked into', () => {
  const job = new SteppedJob(START);
  job.run();
  assert.is(findForbiddenSwitch(job.context, { type: 'tool.goto_phase', phase: 'coding' }), null);
});

test('a sub-run has the rules of its parent', () => {
  const merge = rule({ never: 'merge', unless: 'approved since push' });
  const table = inheritInvariants('workflows/sub-run.md', workflow([phase('coding')]), [merge]);
  assert.equal(table.invariants, [{ ...merge, from: 'inherited' }]);
});

test('a sub-run that could not keep to them does not begin', () => {
  assert.throws(
    () => inheritInvariants('workflows/sub-run.md', workflow([phase('coding')]), [PLANNED]),
    /workflows\/sub-run.md cannot be used: the job is held to the invariant the-rule/,
  );
});

test.run();
