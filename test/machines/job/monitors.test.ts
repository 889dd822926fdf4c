import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  findVisitRefusal,
  findCallRefusal,
  recordFacts,
  alignMonitors,
  recordForgeEvent,
  mergePreparedTable,
  findForbiddingRule,
} from '../../../machines/job/rules/monitors.ts';
import type { JobContext } from '../../../machines/index.ts';
import type { ToolEvent } from '../../../machines/job/jobEvents.ts';
import type { InvariantMonitors } from '../../../machines/job/invariantMonitors.ts';
import type { Invariant } from '../../../src/base/invariants/invariant.ts';
import { parseInvariant } from '../../../src/base/invariants/parseInvariant.ts';
import { phase, pr, workflow } from '../../support/charts/jobSteps.ts';

const test = suite('job chart: what rules about the job remember');

function rule(id: string, form: Record<string, unknown>): Invariant {
  const { invariant } = parseInvariant({ id, ...form });
  if (!invariant) throw new Error('the rule is wrong');
  return invariant;
}

const A = rule('a', { never: 'merge', unless: 'approved since push' });
const B = rule('b', { 'at-most': '9 visits of coding' });
const C = rule('c', { never: 'merge', unless: 'person' });
const TABLE = workflow([phase('coding'), phase('merging')]);

const before = (
  rules: readonly Invariant[],
  one: Partial<InvariantMonitors>,
): InvariantMonitors => {
  const fresh = alignMonitors(undefined, rules);
  if (!fresh) throw new Error('no rules');
  return { ...fresh, ...one };
};

const createMonitoredContext = (rules: Invariant[], monitors?: InvariantMonitors) =>
  ({
    workflow: { ...TABLE, invariants: rules },
    phase: 'merging',
    session: 0,
    prs: [],
    ...(monitors ? { monitors } : {}),
  }) as Pick<JobContext, 'workflow' | 'monitors' | 'phase' | 'session' | 'prs'>;

/** A call of a tool of a forge. */
const call = (operation: string, forge: string, repo: string, number: number): ToolEvent =>
  ({
    type: 'tool.forge_write',
    key: 'k',
    visit: 1,
    session: 1,
    forge,
    operation,
    args: { repo, number },
  }) as ToolEvent;

test('a rule keeps what it remembers wherever it stands among the rules', () => {
  const old = before([A, B], { held: 'a', job: [1, 2], base: [3, 4], prs: { p: [5, 6] } });
  const { rules: _names, ...moved } = alignMonitors(old, [B, C, A]) ?? { rules: [] };
  assert.equal(moved, { held: 'a', job: [2, 0, 1], base: [4, 0, 3], prs: { p: [6, 0, 5] } });
});

test('with the same rules the monitors stay as they are', () => {
  const old = before([A, B], { job: [1, 2] });
  assert.is(alignMonitors(old, [A, B]), old);
});

test('a job without rules remembers nothing', () => {
  assert.is(alignMonitors(before([A], {}), []), undefined);
});

test('a prepared table has its own rules and the inherited ones, not those of the table before', () => {
  const context = createMonitoredContext([{ ...A, from: 'inherited' }, B]);
  const { invariants = [] } = mergePreparedTable(context, { ...TABLE, invariants: [C] });
  assert.equal(
    invariants.map(({ id }) => id),
    ['c', 'a'],
  );
});

test('what happens in the job counts for pull requests that are open', () => {
  const context = createMonitoredContext([C], before([C], { prs: { p: [0] } }));
  assert.equal(recordFacts(context, ['person']).monitors?.prs, { p: [1] });
});

test('what happened to one pull request is not known of the next one', () => {
  const context = createMonitoredContext([A]);
  const first = recordFacts(context, ['approved(pr)'], 'p1');
  const { monitors } = recordFacts({ ...context, ...first }, ['push'], 'p2');
  assert.equal(monitors?.prs, { p1: [1], p2: [0] });
  const green = createMonitoredContext([
    rule('g', { never: 'merge', unless: 'approved and checks.green' }),
  ]);
  const one = recordFacts(green, ['approved(pr)'], 'p1');
  assert.equal(recordFacts({ ...green, ...one }, ['checks.green'], 'p2').monitors?.prs, {
    p1: [1],
    p2: [2],
  });
});

for (const [kind, unless] of [
  ['approved', 'approved'],
  ['check_passed', 'checks.green'],
  ['check_failed', 'checks.red'],
] as const) {
  test(`the news "${kind}" is the fact ${unless}`, () => {
    const one = rule('one', { never: 'merge', unless });
    assert.equal(
      recordForgeEvent(createMonitoredContext([one]), { kind, prId: 'p' }).monitors?.prs,
      { p: [1] },
    );
  });
}

for (const kind of ['merged', 'closed'] as const) {
  test(`a ${kind} pull request is forgotten, the others are not`, () => {
    const context = createMonitoredContext([A], before([A], { prs: { p1: [1], p2: [1] } }));
    assert.equal(recordForgeEvent(context, { kind, prId: 'p1' }).monitors?.prs, { p2: [1] });
  });
}

test('a pull request that is not known has what happened in the job', () => {
  const context = createMonitoredContext([C], before([C], { job: [0], base: [1] }));
  assert.is(findForbiddingRule(context, 'merge', 'unknown'), null);
});

test('each rule is judged by what it remembers itself', () => {
  const context = createMonitoredContext([C, A], before([C, A], { job: [1, 0], base: [1, 0] }));
  const refused = findForbiddingRule(context, 'merge');
  assert.equal([refused?.rule.id, refused?.monitor], ['a', 0]);
  assert.is(
    findForbiddingRule(createMonitoredContext([C, A], before([C, A], { job: [1, 1] })), 'merge'),
    null,
  );
  const other = findForbiddingRule(
    createMonitoredContext([C, A], before([C, A], { job: [1, 2] })),
    'merge',
  );
  assert.is(other?.monitor, 2);
});

/** Whether the pull request 1 of shop at the local forge, which is approved, may be merged so. */
const merges = (forge: string, repo: string, number = 1, own = 'Shop'): boolean => {
  const context = createMonitoredContext([A], before([A], { prs: { [pr(1).prId]: [1] } }));
  const prs = [{ ...pr(1), repo: own }];
  return findCallRefusal({ ...context, prs }, call('merge_pr', forge, repo, number)) === null;
};

test('a repository may be written with other capitals, on either side', () => {
  assert.ok(merges('local', 'Shop'));
  assert.ok(merges('local', 'SHOP'));
});

test('the approval of a pull request is none of its namesakes elsewhere', () => {
  assert.not(merges('github', 'shop'));
  assert.not(merges('local', 'other'));
  assert.not(merges('local', 'shop', 2));
});

test('to open a pull request is a call that can be kept to phases', () => {
  const only = rule('only', { 'only-in': ['coding'], tool: 'create_pr' });
  const refused = findCallRefusal(
    createMonitoredContext([only]),
    call('create_pr', 'local', 'shop', 0),
  );
  assert.is(refused?.rule.id, 'only');
});

test('a phase that has begun is not refused at its next session', () => {
  const need = rule('need', { before: 'merging', need: 'person' });
  assert.is(
    findVisitRefusal(createMonitoredContext([need]), createMonitoredContext([need]).workflow)?.rule
      .id,
    'need',
  );
  assert.is(
    findVisitRefusal(
      { ...createMonitoredContext([need]), session: 1 },
      createMonitoredContext([need]).workflow,
    ),
    null,
  );
});

test('a write that names its repository in another case is about the same pull request', () => {
  const own = { ...pr(1), forge: 'github', repo: 'Acme/Shop', prId: 'github:Acme/Shop#1' };
  const after = (repo: string) => {
    const context = { ...createMonitoredContext([A], before([A], {})), prs: [own] };
    const news = { kind: 'approved' as const, prId: own.prId };
    const approved = { ...context, ...recordForgeEvent(context, news as never) };
    return findCallRefusal(approved as never, call('merge_pr', 'github', repo, 1));
  };
  assert.is(after('Acme/Shop'), null);
  assert.is(after('acme/shop'), null);
});

test.run();
