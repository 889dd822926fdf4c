import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { describeAct, isAct } from '../../../../src/api/server/audit/describeAct.ts';
import type { RouteName } from '../../../../src/contract/routes/addresses.ts';
import { routes } from '../../../../src/contract/routes/routes.ts';

const test = suite('audit: what an act is about');

const describe = (name: RouteName, body: unknown, params = {}, query: unknown = {}) =>
  describeAct(name, { params, query, body });

test('what a person decides or installs is an act; reading, trying out and chats are none', () => {
  const acts = routes.filter(isAct).map(({ name }) => name);
  for (const name of [
    ...(['createJob', 'resume', 'rerun', 'cancel', 'stopAll', 'setBudget', 'addTrust'] as const),
    ...(['removeTrust', 'updateConfig', 'installPlugin', 'uninstallPlugin', 'backup'] as const),
    ...(['approveProposal', 'rejectProposal', 'applyProposal', 'runSchedule', 'logout'] as const),
    ...(['createLogin', 'restartRunner', 'approvePullRequest', 'allowGuardrail'] as const),
  ])
    assert.ok(acts.includes(name), name);
  for (const name of [
    'jobs',
    'lintWorkflow',
    'webhook',
    'intakeStream',
    'saveInvestigation',
  ] as const)
    assert.not.ok(acts.includes(name), name);
});

test('an answer to a checkpoint names the job, the answer and the hash that was shown', () => {
  assert.equal(describe('resume', { eventKey: 'approve', shown: 'abc' }, { jobId: 'svc-job-1' }), {
    jobId: 'svc-job-1',
    target: { eventKey: 'approve', shown: 'abc' },
  });
});

test('a raised budget names whose it is and the amounts', () => {
  assert.equal(
    describe('setBudget', { key: 'shop', raise: { usd: 5 } }, { scope: 'repo' }).target,
    {
      scope: 'repo',
      key: 'shop',
      raise: 'usd=5',
    },
  );
  assert.equal(describe('resume', { budget: { usd: 2 } }).target, { raise: 'usd=2' });
});

test('a change of the configuration names its keys, and no text', () => {
  const { target } = describe('updateConfig', {
    server: { port: 4100 },
    decision: { apiKey: 'a-secret' },
    schedules: [{ name: 'nightly' }],
    triggers: null,
  });
  assert.equal(target, { keys: 'decision.apiKey schedules server.port=4100 triggers=null' });
});

test('texts of people and values of logins are left out', () => {
  assert.equal(describe('message', { message: 'my password is x' }, { jobId: 'j' }).target, {});
  assert.equal(describe('cancel', { reason: 'because' }, { jobId: 'j' }).target, {});
  assert.equal(describe('completeVendorLogin', { executor: 'codex', code: 'x' }).target, {
    executor: 'codex',
  });
  assert.equal(describe('installPlugin', { spec: 'git+https://me:token@host/p.git' }).target, {
    spec: 'git+https://host/p.git',
  });
});

test('trust names the repository, its content and the variables', () => {
  assert.equal(describe('addTrust', { repo: 'shop', hash: 'h', env: ['A', 'B'] }).target, {
    repo: 'shop',
    hash: 'h',
    env: 'A B',
  });
});

test.run();
