import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  describeCurrentWait,
  describeEventWait,
  listFollowedNames,
} from '../../../../machines/job/rules/describeEventWait.ts';
import { pr, SteppedJob } from '../../../support/charts/jobSteps.ts';

const test = suite('what a job waits for, for people');

const any = { kinds: null, prId: null, from: 'coding', after: 'testing' };
const PARAMS = { jiraTicketId: 'D-7', trackerRef: 'acme/shop#3' };

test('a job waits for its open pull requests, by name, the one it asked about first', () => {
  assert.is(describeEventWait(any, [pr(1)]), 'waits for a review or merge of shop#1');
  assert.is(
    describeEventWait({ ...any, kinds: ['merged', 'closed'], prId: 'local:shop#2' }, [
      pr(1),
      pr(2),
    ]),
    'waits for the merge or the close of shop#2 or shop#1',
  );
  assert.is(describeEventWait(any, []), 'waits for a review or merge of one of its pull requests');
});

test('a ticket that wakes it too is named with them', () => {
  assert.is(
    describeEventWait({ ...any, followed: ['D-7'] }, [pr(1)]),
    'waits for a review or merge of shop#1, or a comment on ticket D-7',
  );
});

test('a job without a pull request waits for its ticket alone, by whichever name the agent gave it', () => {
  const ticket = { ...any, followed: ['D-7'] };
  for (const prId of [null, 'D-7', 'deskhub:d-7'])
    assert.is(
      describeEventWait({ ...ticket, prId }, []),
      'waits for a comment on ticket D-7',
      `${prId}`,
    );
});

test('only tickets whose comments reach svc count, and none where comments wake nothing', () => {
  assert.equal(listFollowedNames(PARAMS, { kinds: null, heard: ['d-7'] }), ['D-7']);
  assert.equal(listFollowedNames(PARAMS, { kinds: ['commented'], heard: ['d-7', 'acme/shop#3'] }), [
    'D-7',
    'acme/shop#3',
  ]);
  assert.equal(listFollowedNames(PARAMS, { kinds: ['approved'], heard: ['d-7'] }), []);
  assert.equal(listFollowedNames(PARAMS, { kinds: null }), []);
});

test('a job that parks says in its log that its ticket wakes it', () => {
  const job = new SteppedJob(undefined, { params: { jiraTicketId: 'D-7' } });
  job.reach('coding').createPr(1);
  job.awaitEvent({ heard: ['d-7'] });
  job.end();
  const text = 'waits for a review or merge of shop#1, or a comment on ticket D-7';
  assert.is(job.context.parked?.reason, text);
  assert.is(job.log.at(-1), `[parked] ${text}`);
});

test('each open pull request and each ticket is named', () => {
  assert.is(
    describeCurrentWait(any, [pr(1), pr(2, { state: 'merged' }), pr(3)], ['D-7']),
    'for a review or merge of shop#1 or shop#3, or a comment on ticket D-7',
  );
  assert.is(
    describeCurrentWait({ kinds: ['approved', 'commented'] }, [pr(1)], []),
    'for an approval or a comment of shop#1',
  );
  assert.is(describeCurrentWait(any, [pr(1, { state: 'closed' })], []), null);
});

test('at most five are named, the others counted', () => {
  const prs = Array.from({ length: 7 }, (_, index) => pr(index + 1));
  assert.match(describeCurrentWait(any, prs, []) ?? '', /shop#5 or 2 more$/);
});

test.run();
