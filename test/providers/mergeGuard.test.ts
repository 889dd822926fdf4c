import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { guardedMerge } from '../../src/news/writes/guardedMerge.ts';
import type { Forge, PrDetail } from '../../src/contract/forge.ts';
import { mergeProblem } from '../../src/providers/mergeGuard.ts';

const test = suite('when an agent may merge');

const HEAD = 'a'.repeat(40);
const clean = { word: 'clean', clean: true };
const PR = {
  prId: 'github:acme/shop#1',
  forge: 'github',
  state: 'open',
  author: 'robot',
  headCommit: HEAD,
  approvals: ['ann'],
  headApprovals: ['ann'],
  requiredChecks: { state: 'green', reason: '' },
  mergeState: clean,
} as Partial<PrDetail> as PrDetail;
const problem = (change: Partial<PrDetail>) =>
  mergeProblem({ ...PR, ...change }, (account) => account === 'robot');

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
    /no check has been reported.*does not say either/,
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
    self: async () => self,
    capabilities: { remote, createRepo: false },
    pullRequest: async () => ({ ...PR, ...pr }),
  }) as Partial<Forge> as Forge;
const ARGS = { repo: 'acme/shop', number: 1 };

test('a merge is pinned to the commit that was judged', async () => {
  assert.equal(await guardedMerge(forge({}, 'Robot'), ARGS), {
    problem: null,
    args: { ...ARGS, head: HEAD },
  });
});

test('an agent merges nothing that others have opened', async () => {
  assert.match(
    (await guardedMerge(forge({ author: 'eve' }, 'robot'), ARGS)).problem ?? '',
    /was opened by eve/,
  );
});

test('on the local forge the approval of a person counts, that of a job does not', async () => {
  const local = (headApprovals: string[]) =>
    guardedMerge(
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
    (await guardedMerge(forge({ approvals: ['robot'], headApprovals: ['Robot'] }, null), ARGS))
      .problem ?? '',
    /no one but svc/,
  );
});

test('a pull request that is over is left to the forge, so that a repeat is answered as the first time', async () => {
  assert.equal(await guardedMerge(forge({ state: 'merged', headApprovals: [] }, 'robot'), ARGS), {
    problem: null,
    args: ARGS,
  });
});

test.run();
