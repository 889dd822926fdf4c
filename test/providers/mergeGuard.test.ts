import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { guardAgentMerge } from '../../src/forges/outbound/guardAgentMerge.ts';
import type { Forge, PrDetail } from '../../src/contract/forge/forge.ts';
import type { Tables } from '../../src/contract/records/tables.ts';
import { explainMergeProblem } from '../../src/providers/mergeGuard.ts';

const test = suite('when an agent may merge');

type Approval = Tables['svc_approvals'];
type Review = Tables['reviews'];

const HEAD = 'a'.repeat(40);
const clean = { word: 'clean', clean: true };
const PR = {
  prId: 'github:acme/shop#1',
  forge: 'github',
  state: 'open',
  author: 'robot',
  repo: 'acme/shop',
  number: 1,
  headCommit: HEAD,
  approvals: ['ann'],
  headApprovals: ['ann'],
  changesRequested: [],
  requiredChecks: { state: 'green', reason: '' },
  mergeState: clean,
} as Partial<PrDetail> as PrDetail;
const problem = (change: Partial<PrDetail>) =>
  explainMergeProblem({ ...PR, ...change }, (account) => account === 'robot');

test('it needs an approval of the newest commit by another user, and all required checks green', () => {
  assert.is(problem({}), null);
});

for (const [title, change, expected] of [
  [
    'no one has approved it',
    { approvals: [], headApprovals: [] },
    /no one but svc has approved its newest commit aaaaaaaaaaaa/,
  ],
  [
    'svc alone has approved it',
    { approvals: ['robot'], headApprovals: ['robot'] },
    /no one but svc has approved/,
  ],
  [
    'an older commit was approved',
    { headApprovals: [] },
    /the approval of ann is not known to be for its newest commit/,
  ],
  ['the newest commit is not known', { headCommit: '' }, /does not report its newest commit/],
  [
    'a required check has failed',
    { requiredChecks: { state: 'red', reason: '' } },
    /a required check has failed/,
  ],
  [
    'a required check has not finished',
    { requiredChecks: { state: 'pending', reason: '' } },
    /has not finished.*await_event/,
  ],
  [
    'no check was reported and the forge says blocked',
    {
      requiredChecks: { state: 'none', reason: '' },
      mergeState: { word: 'blocked', clean: false },
    },
    /no check has been reported.*the forge says blocked/,
  ],
  [
    'no check was reported and the forge says nothing',
    { requiredChecks: { state: 'none', reason: '' }, mergeState: null },
    /no check has been reported.*does not report/,
  ],
  [
    'checks cannot be read and the forge says unstable',
    {
      requiredChecks: { state: 'unreadable', reason: 'checks: read' },
      mergeState: { word: 'unstable', clean: false },
    },
    /may not read its checks \(checks: read\), and the forge says unstable. A person can give the token that permission/,
  ],
] as const) {
  test(`refused where ${title}`, () => {
    assert.match(problem(change as Partial<PrDetail>) ?? 'allowed', expected);
  });
}

test('where checks cannot be read, or none exist, the forge’s own word counts', () => {
  assert.is(problem({ requiredChecks: { state: 'unreadable', reason: 'checks: read' } }), null);
  assert.is(problem({ requiredChecks: { state: 'none', reason: '' } }), null);
});

const forge = (pr: Partial<PrDetail>, self: string | null, remote = true): Forge =>
  ({
    id: remote ? 'github' : 'local',
    canonical: (slug: string) => slug.toLowerCase(),
    self: async () => self,
    capabilities: { remote, createRepo: false, decisions: [] },
    pullRequest: async () => ({ ...PR, ...pr }),
  }) as Partial<Forge> as Forge;
const ARGS = { repo: 'acme/shop', number: 1 };
const mergeGuarded = async (
  at: Forge,
  args: Record<string, unknown>,
  approvals: Approval[] = [],
  reviews: Review[] = [],
) => {
  const tables: Partial<Record<keyof Tables, object[]>> = { svc_approvals: approvals, reviews };
  const { detail, ...leave } = await guardAgentMerge(
    at,
    { all: (table, where = {}) => (tables[table] ?? []).filter(matching(where)) as never[] },
    args,
  );
  return leave;
};
const matching =
  (where: object) =>
  (row: object): boolean =>
    Object.entries(where).every(([column, value]) => Reflect.get(row, column) === value);

test('a merge is pinned to the commit that was judged', async () => {
  assert.equal(await mergeGuarded(forge({}, 'Robot'), ARGS), {
    problem: null,
    args: { ...ARGS, head: HEAD },
  });
});

test('an agent merges nothing that others have opened', async () => {
  assert.match(
    (await mergeGuarded(forge({ author: 'eve' }, 'robot'), ARGS)).problem ?? '',
    /was opened by eve/,
  );
});

test('on the local forge the approval of a person counts, that of a job does not', async () => {
  const local = (headApprovals: string[]) =>
    mergeGuarded(
      forge(
        { forge: 'local', author: 'svc:a', approvals: headApprovals, headApprovals },
        null,
        false,
      ),
      ARGS,
    );
  assert.is((await local(['developer'])).problem, null);
  assert.match(
    (await local(['svc:b'])).problem ?? '',
    /no one but svc has approved.*svc pr approve/,
  );
});

test('the author’s own approval does not count, also where the forge does not say who svc is', async () => {
  assert.match(
    (await mergeGuarded(forge({ approvals: ['robot'], headApprovals: ['Robot'] }, null), ARGS))
      .problem ?? '',
    /no one but svc/,
  );
});

const inSvc = (change: Partial<Approval> = {}): Approval => ({
  forge: 'github',
  repo: 'Acme/Shop',
  number: 1,
  person: 'developer',
  head: HEAD,
  at: 1,
  came: 'token',
  ...change,
});
const unapproved = forge({ approvals: [], headApprovals: [] }, 'robot');

test('an approval in svc counts for exactly its commit, whatever form of the name it was given under (TOOL-6)', async () => {
  assert.equal(await mergeGuarded(unapproved, ARGS, [inSvc()]), {
    problem: null,
    args: { ...ARGS, head: HEAD },
  });
  const earlier = await mergeGuarded(unapproved, ARGS, [inSvc({ head: 'b'.repeat(40) })]);
  assert.match(earlier.problem ?? '', /no one but svc has approved its newest commit aaaaaaaaaaaa/);
});

for (const [other, change] of [
  ['another pull request', { number: 2 }],
  ['another repository', { repo: 'acme/other' }],
  ['another forge', { forge: 'gitlab' }],
] as const) {
  test(`an approval in svc of ${other} does not count`, async () => {
    assert.match(
      (await mergeGuarded(unapproved, ARGS, [inSvc(change)])).problem ?? '',
      /no one but svc/,
    );
  });
}

test('an approval in svc replaces no check', async () => {
  const red = forge(
    { approvals: [], headApprovals: [], requiredChecks: { state: 'red', reason: '' } },
    'robot',
  );
  assert.match(
    (await mergeGuarded(red, ARGS, [inSvc()])).problem ?? '',
    /a required check has failed/,
  );
});

test('changes that one person has requested keep an agent from merging, also where others have approved', async () => {
  const at = (changesRequested: string[], more: Partial<PrDetail> = {}, remote = true) =>
    mergeGuarded(forge({ changesRequested, ...more }, remote ? 'robot' : null, remote), ARGS, [
      inSvc({ forge: remote ? 'github' : 'local', repo: 'acme/shop' }),
    ]);
  assert.is((await at([])).problem, null);
  assert.match(
    (await at(['bob', 'cyd'])).problem ?? '',
    /changes were requested by bob, cyd, .*: bob approves it at github, or the request of bob is dismissed there; cyd approves/,
  );
  const local = { forge: 'local', author: 'svc:a', approvals: ['ann'], headApprovals: ['ann'] };
  assert.match(
    (await at(['bob'], local, false)).problem ?? '',
    /requested by bob.*bob approves it in the dashboard or with svc pr approve/,
  );
  // The same person on the local forge, by the name under which they approved in svc.
  assert.is((await at(['developer'], local, false)).problem, null);
});

const createReview = (change: Partial<Review> = {}): Review => ({
  id: 'r1',
  job_id: 'j1',
  forge: 'github',
  repo: 'Acme/Shop',
  number: 1,
  pr_id: 'github:Acme/Shop#1',
  head: 'b'.repeat(40),
  author: 'developer',
  came: 'token',
  at: 10,
  verdict: 'request_changes',
  content: '{}',
  state: 'sent',
  problem: null,
  outcome: '{}',
  ...change,
});

for (const [title, approvals, reviews, blocked] of [
  ['requested in svc', [], [createReview()], true],
  ['requested in svc, and the forge took nothing', [], [createReview({ state: 'failed' })], true],
  [
    'requested, then only remarks sent',
    [],
    [createReview(), createReview({ verdict: 'comment', at: 11 })],
    true,
  ],
  ['approved before they were requested', [inSvc({ at: 9 })], [createReview()], true],
  ['approved and requested at the same time', [inSvc({ at: 10 })], [createReview()], true],
  [
    'approved by someone else afterwards',
    [inSvc({ person: 'eve', at: 11 })],
    [createReview()],
    true,
  ],
  ['approved by the same person afterwards', [inSvc({ at: 11 })], [createReview()], false],
  [
    'approved in a later review',
    [],
    [createReview(), createReview({ verdict: 'approve', at: 11 })],
    false,
  ],
  ['requested of another pull request', [], [createReview({ number: 2 })], false],
] as const) {
  test(`changes ${title}: an agent ${blocked ? 'may not merge' : 'may merge'} what ann has approved at the forge`, async () => {
    const { problem: refusal } = await mergeGuarded(
      forge({}, 'robot'),
      ARGS,
      [...approvals],
      [...reviews],
    );
    if (!blocked) assert.is(refusal, null);
    else
      assert.match(
        refusal ?? 'allowed',
        /requested by developer \(in svc\).*developer approves it in svc \(in the dashboard or with svc pr approve\)/,
      );
  });
}

test('a pull request that is over is left to the forge, so that a repeat is answered as the first time', async () => {
  assert.equal(await mergeGuarded(forge({ state: 'merged', headApprovals: [] }, 'robot'), ARGS), {
    problem: null,
    args: ARGS,
  });
});

test.run();
