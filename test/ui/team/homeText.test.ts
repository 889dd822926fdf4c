import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { canRelease, describeHomeWait, describeLoss, POLICIES } from '../../../ui/team/homeText.ts';
import { TAKEOVER_POLICIES } from '../../../src/contract/schema/cloud/home.ts';

const test = suite('ui: the home of a runner in words');

const toJob = (id: string, isInSession: boolean) => ({ id, title: id, isInSession });
const AT_WORK = [toJob('a', true), toJob('b', false)];

test('every policy has its words (RUN-5)', () => {
  assert.equal(POLICIES.toSorted(), TAKEOVER_POLICIES.toSorted());
});

test('of a runner that is connected, or has no jobs, nothing is said (RUN-5)', () => {
  assert.is(describeHomeWait({ wait: 'connected', jobs: AT_WORK }), null);
  assert.is(describeHomeWait({ wait: 'never', jobs: [] }), null);
  assert.is(describeHomeWait({ wait: null, jobs: AT_WORK }), null);
});

test('every other reason to wait is said, a new one by its name (RUN-5)', () => {
  assert.match(describeHomeWait({ wait: 'in-session', jobs: AT_WORK }) ?? '', 'agent was at work');
  assert.match(describeHomeWait({ wait: 'later-one', jobs: AT_WORK }) ?? '', 'later-one');
});

test('a loss is that of the jobs at which an agent was at work (RUN-5)', () => {
  assert.match(describeLoss({ jobs: AT_WORK, wait: 'in-session' }) ?? '', '1 job');
  assert.is(describeLoss({ jobs: [toJob('b', false)], wait: 'never' }), null);
});

test('after a restore of the database it is what only the machine has, too (CLD-3)', () => {
  assert.match(
    describeLoss({ jobs: [toJob('b', false)], wait: 'restored' }) ?? '',
    'since the backup',
  );
});

test('a home that is ahead names the command that decides, also without a job (CLD-3)', () => {
  assert.match(describeHomeWait({ wait: 'ahead', jobs: [] }) ?? '', 'svc cloud reseed');
});

test('a person decides only where the policy, or a restored database, alone stands against it (RUN-5)', () => {
  const waits = [
    'never',
    'in-session',
    'restored',
    'ahead',
    'seeding',
    'lease',
    'no-runner',
    'connected',
  ];
  assert.equal(
    waits.filter((wait) => canRelease({ wait, jobs: AT_WORK })),
    ['never', 'in-session', 'restored'],
  );
});

test.run();
