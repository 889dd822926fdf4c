import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { WorkflowTable } from '../../../src/contract/schema/workflow/workflow.ts';
import { parseInvariant } from '../../../src/base/invariants/parseInvariant.ts';
import type { Invariant } from '../../../src/base/invariants/invariant.ts';
import { phase, pr, SteppedJob, workflow } from '../../support/charts/jobSteps.ts';
import { findToolProblems } from '../../../machines/index.ts';

const test = suite('job chart: rules about the job');

function rule(form: Record<string, unknown>): Invariant {
  const { invariant } = parseInvariant({ id: 'the-rule', ...form });
  if (!invariant) throw new Error('the rule is wrong');
  return invariant;
}

const APPROVED = rule({ never: 'merge', unless: 'approved since push' });
const PHASES = [
  phase('planning', { interactive_checkpoint: true }),
  phase('coding'),
  phase('merging'),
];
const withRules = (...invariants: Invariant[]): WorkflowTable => workflow(PHASES, { invariants });

const merging = (...rules: Invariant[]): SteppedJob => {
  const job = new SteppedJob(withRules(...(rules.length > 0 ? rules : [APPROVED])));
  job.reach('coding');
  job.createPr(1);
  return job;
};

const MERGE = { forge: 'local', operation: 'merge_pr', args: { repo: 'shop', number: 1 } };
let keys = 0;
const merge = (job: SteppedJob, number = 1): boolean => {
  keys += 1;
  return job.tool('forge_write', {
    ...MERGE,
    key: `merge-${keys}`,
    args: { repo: 'shop', number },
  });
};

const findProblems = (job: SteppedJob): string[] => {
  const { visit, session } = job.context;
  return findToolProblems(job.context, {
    type: 'tool.forge_write',
    key: 'k',
    visit,
    session,
    ...MERGE,
  });
};

/** The branch is brought to the forge again. */
function push(job: SteppedJob, number = 1): void {
  const key = `push-${keys++}`;
  job.tool('forge_write', { key, forge: 'local', operation: 'create_pr', args: {} });
  job.send({
    type: 'forge.wrote',
    key,
    operation: 'create_pr',
    ok: true,
    pr: pr(number),
    result: {},
  });
}

test('a merge without an approval is refused', () => {
  assert.not(merge(merging()));
});

test('the refusal names the rule and what to do', () => {
  const [says = ''] = findProblems(merging());
  assert.match(says, /invariant the-rule .* never merge, unless approved\(pr\) since push/);
  assert.match(says, /await_event \{ "kinds": \["approved"\] \}/);
});

test('an approved pull request is merged, three times', () => {
  const job = merging();
  for (const number of [1, 2, 3]) {
    if (number > 1) job.createPr(number);
    job.prEvent('approved', number);
    assert.ok(merge(job, number), `pull request ${number}`);
  }
});

test('a push after the approval voids it', () => {
  const job = merging();
  job.prEvent('approved');
  push(job);
  assert.not(merge(job));
});

test('an approval after that push counts', () => {
  const job = merging();
  job.prEvent('approved');
  push(job);
  job.prEvent('approved');
  assert.ok(merge(job));
});

test('the approval of one pull request is none of another one', () => {
  const job = merging();
  job.createPr(2);
  job.prEvent('approved', 2);
  assert.not(merge(job, 1));
});

test('a push to one pull request leaves the approval of another one', () => {
  const job = merging();
  job.prEvent('approved', 1);
  job.createPr(2);
  assert.ok(merge(job, 1));
});

test('a pull request that is not the job’s own has no approval', () => {
  const job = merging();
  job.prEvent('approved', 1);
  assert.not(merge(job, 77));
});

test('what happened in the job before counts for a pull request that is opened later', () => {
  const job = merging(
    rule({ never: 'merge', unless: 'approved(planning) and approved since push' }),
  );
  job.prEvent('approved');
  assert.ok(merge(job));
});

test('goto_phase to a phase that may not begin is refused', () => {
  const job = merging(rule({ before: 'merging', need: 'approved since push' }));
  assert.not(job.goto('merging'));
});

test('a phase that may not begin parks the job for a person, and says why', () => {
  const job = merging(rule({ before: 'merging', need: 'approved since push' }));
  job.end();
  assert.is(job.at, 'parked.developer');
  assert.match(
    job.context.parked?.reason ?? '',
    /phase merging cannot begin: the invariant the-rule/,
  );
  assert.is(job.context.monitors?.held, 'the-rule');
});

test('it begins after a resume once that is no longer so', () => {
  const job = merging(rule({ before: 'merging', need: 'approved since push' }));
  job.end();
  job.prEvent('approved');
  job.resume();
  job.run();
  assert.is(job.at, 'working.inSession');
  assert.is(job.context.phase, 'merging');
});

test('an approved checkpoint is what a rule about its phase asks for', () => {
  const job = new SteppedJob(withRules(rule({ before: 'coding', need: 'approved(planning)' })));
  job.reach('coding');
  assert.is(job.at, 'working.inSession');
});

test('a checkpoint approved in advance is one too', () => {
  const need = rule({ before: 'coding', need: 'approved(planning)' });
  const job = new SteppedJob(withRules(need), { params: { autoApprove: true } });
  job.run().end();
  assert.is(job.context.phase, 'coding');
  assert.is(job.at, 'working.inSession');
});

test('the visits of a phase are counted', () => {
  const job = new SteppedJob(withRules(rule({ 'at-most': '2 visits of coding' })));
  job.reach('coding');
  job.goto('coding');
  job.end();
  assert.is(job.at, 'working.inSession');
  assert.not(job.goto('coding'));
});

test('a rerun past that number is refused', () => {
  const job = new SteppedJob(withRules(rule({ 'at-most': '1 visits of coding' })));
  job.reach('merging');
  job.pause();
  job.send({ type: 'stop.overdue' });
  assert.not(job.rerun('coding'));
});

test('a tool is kept to its phases', () => {
  const job = merging(rule({ 'only-in': ['merging'], tool: 'merge_pr' }));
  assert.not(merge(job));
  job.goto('merging');
  job.end();
  assert.ok(merge(job));
});

test('a job that may not complete gets another round, whose prompt says why', () => {
  const job = merging(rule({ never: 'complete', unless: 'merge' }));
  job.reach('merging').end();
  assert.is(job.at, 'working.inSession');
  assert.match(job.context.given?.prompt ?? '', /To complete: the invariant the-rule forbids this/);
});

test('it completes when that has happened', () => {
  const job = merging(rule({ never: 'complete', unless: 'merge' }));
  job.prEvent('merged');
  job.reach('merging').end();
  assert.is(job.at, 'ended.complete');
});

test('it fails when the gate has blocked as often as it may, and says by which rule', () => {
  const job = merging(rule({ never: 'complete', unless: 'merge' }));
  job.reach('merging');
  for (let round = 0; round < 5; round++) job.end();
  assert.is(job.at, 'ended.failed');
  assert.match(job.context.escalationMessage ?? '', /the invariant the-rule forbids this/);
});

test('a rule that a preparation brings holds for the visit that it prepares', () => {
  const job = new SteppedJob(workflow(PHASES));
  job.run();
  const table = withRules(rule({ before: 'coding', need: 'approved since push' }));
  job.approve();
  job.end();
  if (job.at === 'parked.approval') job.approve();
  job.slot();
  job.prepared({ workflow: table });
  assert.is(job.at, 'parked.developer');
});

test('a switch takes the rules along, whatever the other workflow says', () => {
  const job = merging();
  const target = workflow([phase('other')]);
  job.tool('switch_workflow', {
    workflowPath: 'workflows/other.md',
    workflow: target,
    toPhase: 'other',
    reason: '',
  });
  job.end();
  job.prepared({ workflow: target });
  assert.is(job.context.phase, 'other');
  assert.equal(job.context.workflow.invariants, [{ ...APPROVED, from: 'inherited' }]);
  assert.not(merge(job));
});

test('what has happened stays known over a switch', () => {
  const job = merging();
  job.prEvent('approved');
  const target = workflow([phase('other')]);
  job.tool('switch_workflow', {
    workflowPath: 'workflows/other.md',
    workflow: target,
    toPhase: 'other',
    reason: '',
  });
  job.end();
  job.run();
  assert.ok(merge(job));
});

test('a person is one who writes', () => {
  const job = merging(rule({ never: 'push', unless: 'person since pr.opened or not pr.opened' }));
  assert.not(job.createPr(2));
  job.message();
  assert.ok(job.createPr(2));
});

test('a snapshot from before rules continues, and knows of nothing that happened before', () => {
  const job = merging();
  const { monitors: _none, ...context } = job.context;
  assert.equal(
    findToolProblems(context, {
      type: 'tool.forge_write',
      key: 'k',
      visit: context.visit,
      session: context.session,
      ...MERGE,
    }).length,
    1,
  );
});

test.run();
