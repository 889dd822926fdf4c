import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { recordForgeEvent, findForbiddingRule } from '../../../machines/job/rules/monitors.ts';
import { addLinkMark } from '../../../src/git/marks.ts';
import type { PrDetail } from '../../../src/contract/forge/forge.ts';
import { parseInvariant } from '../../../src/base/invariants/parseInvariant.ts';
import { explainMergeProblem } from '../../../src/providers/mergeGuard.ts';
import { composeNews } from '../../../src/providers/rest/composeNews.ts';
import { mayWake, parseWakeRules } from '../../../src/providers/rest/wakeRules.ts';
import { phase, workflow } from '../../support/charts/jobSteps.ts';

const test = suite('an approval by the account of svc itself');

const PR = {
  forge: 'github',
  repo: 'acme/shop',
  number: 1,
  prId: 'github:acme/shop#1',
  url: 'https://forge.example/1',
};
const MERGE = parseInvariant({ id: 'm', never: 'merge', unless: 'approved since push' }).invariant;

/** Whether a rule about `tryGitlabApproval(pr)` lets the job merge after an approval at the forge. */
function merges({ login = 'svc-robot', selfIsPerson = false, text = '' }): boolean {
  if (!MERGE) throw new Error('the rule is wrong');
  const by = { login, bot: false, member: true };
  const approval = { kind: 'approved' as const, id: 'r1', at: '2026-01-01T00:00:00Z', by, text };
  const account = { self: 'svc-robot', selfIsPerson, now: 0 };
  const news = composeNews(PR, [approval], [], account).filter((one) =>
    mayWake(one, parseWakeRules('*', '')),
  );
  const context = {
    workflow: workflow([phase('merging')], { invariants: [MERGE] }),
    phase: 'merging',
  };
  const after = { ...context } as Parameters<typeof findForbiddingRule>[0];
  for (const { event } of news) Object.assign(after, recordForgeEvent(after, event));
  return findForbiddingRule(after, 'merge', PR.prId) === null;
}

test('does not count as approved(pr)', () => {
  assert.not(merges({}));
});

test('by another account does', () => {
  assert.ok(merges({ login: 'ann' }));
});

test('with selfIsPerson counts when a person gave it by hand', () => {
  assert.ok(merges({ selfIsPerson: true }));
});

test('with selfIsPerson does not count when svc wrote it', () => {
  assert.not(merges({ selfIsPerson: true, text: addLinkMark('Good.', 'approve-1') }));
});

test('never satisfies the merge guard: there someone else has to approve', () => {
  const pr = {
    ...PR,
    headCommit: 'a'.repeat(40),
    approvals: ['svc-robot'],
    headApprovals: ['svc-robot'],
    changesRequested: [],
    requiredChecks: { state: 'green', reason: '' },
    mergeState: null,
  } as Partial<PrDetail> as PrDetail;
  assert.match(
    explainMergeProblem(pr, (account) => account === 'svc-robot') ?? '',
    /no one but svc has approved/,
  );
});

test.run();
