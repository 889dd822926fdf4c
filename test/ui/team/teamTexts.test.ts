import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { TeamRole } from '../../../src/contract/schema/cloud/teamRole.ts';
import type { JobSummary } from '../../../src/contract/schema/job/job.ts';
import { describeReason, parseLabels } from '../../../ui/team/dispatchText.ts';
import { canChangeMember, isOnlyOwner } from '../../../ui/team/memberRules.ts';
import { includesRole, listGrantableRoles } from '../../../ui/team/roles.ts';
import { describeRunner, findRunnerOfJob } from '../../../ui/team/runnerText.ts';
import { toShownJob } from '../../../ui/team/toShownJob.ts';
import { toTestRunner } from '../../support/cloud/toTestRunner.ts';

const test = suite('dashboard of a team: people, runners and dispatches in words');

const toMember = (userId: string, role: TeamRole) => ({
  userId,
  role,
  email: `${userId}@svc.example`,
  name: userId,
  joinedAt: '2026-11-30T00:00:00.000Z',
});

test('roles include those before them, and only owners touch an owner (CLD-2)', () => {
  assert.ok(includesRole('admin', 'member'));
  assert.not.ok(includesRole('viewer', 'member'));
  assert.equal(listGrantableRoles('member'), []);
  assert.equal(listGrantableRoles('admin'), ['viewer', 'member', 'admin']);
  assert.equal(listGrantableRoles('owner'), ['viewer', 'member', 'admin', 'owner']);
  assert.not.ok(canChangeMember('admin', { role: 'owner' }));
  assert.ok(canChangeMember('owner', { role: 'owner' }));
});

test('the only owner is the one that a team must keep', () => {
  const ada = toMember('ada', 'owner');
  assert.ok(isOnlyOwner(ada, [ada, toMember('ben', 'admin')]));
  assert.not.ok(isOnlyOwner(ada, [ada, toMember('ben', 'owner')]));
});

test('every reason is a sentence, and a label of any name stays as it is', () => {
  assert.is(describeReason({ reason: 'no-label:gpu' }), 'No connected runner has the label gpu.');
  for (const reason of ['no-runner', 'no-slot', 'not-accepted', 'runner-too-old', 'person-limit'])
    assert.match(describeReason({ reason }), /^[A-Z].* .*\.$/, reason);
  const sentence = describeReason({
    reason: 'sent to mac-ada, which is away since 2026-11-30T12:03:00.000Z',
  });
  assert.match(sentence, /^Sent to mac-ada, which is away since /);
  assert.not.match(sentence, '2026-11-30T');
});

test('typed labels are separated by commas or spaces, each once', () => {
  assert.equal(parseLabels(' linux, gpu  linux,'), ['linux', 'gpu']);
});

test('a runner is connected, away, draining, or was never there', () => {
  const says = (more: Parameters<typeof toTestRunner>[1]) =>
    describeRunner(toTestRunner('r1', more)).says;
  assert.is(says({}), 'Connected');
  assert.is(says({ state: 'draining' }), 'Draining');
  assert.is(says({ connected: false, awaySince: '2026-11-30T01:00:00.000Z' }), 'Away');
  assert.is(says({ connected: false, version: null }), 'Never connected');
  assert.is(says({ connected: false, revokedAt: '2026-11-30T01:00:00.000Z' }), 'Revoked');
});

test('a job shows its runner as that is now, and a job of no team shows none', () => {
  const row = {
    ...({} as JobSummary),
    runner: { id: 'r1', name: 'old name', awaySince: null },
  };
  const away = toTestRunner('r1', {
    name: 'mac',
    connected: false,
    awaySince: '2026-11-30T01:00:00.000Z',
  });
  assert.equal(findRunnerOfJob(row, [away]), {
    id: 'r1',
    name: 'mac',
    awaySince: '2026-11-30T01:00:00.000Z',
  });
  assert.equal(findRunnerOfJob(row, []), { id: 'r1', name: 'old name', awaySince: null });
  assert.is(findRunnerOfJob({} as JobSummary, [away]), null);
});

test('the row of the list stands for a job whose runner is away: what it does not hold is empty', () => {
  const runner = { id: 'r1', name: 'mac', awaySince: '2026-11-30T01:00:00.000Z' };
  const job = toShownJob({ id: 'j1', runner } as never, 'r1', []);
  assert.is(job.id, 'j1');
  assert.equal(job.artefacts, []);
  assert.equal(job.state, []);
  assert.equal(Reflect.get(job, 'runner'), runner);
  const whole = toShownJob({ id: 'j1' } as never, 'r1', [toTestRunner('r1')]);
  assert.equal(Reflect.get(whole, 'runner'), { id: 'r1', name: 'r1', awaySince: null });
});

test.run();
