import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  describeInboxItems,
  MAX_HAPPENED_SENTENCES,
  describeResumeKey,
} from '../../../../machines/job/rules/describeInboxItems.ts';
import { toEventKey } from '../../../../machines/job/rules/eventKey.ts';
import { type PrState, ProviderEventKind } from '../../../../src/contract/schema/forge/pr.ts';

const test = suite('what has happened, in words');

const KINDS = ProviderEventKind.anyOf.map((literal) => literal.const);
const PR = 'local:shop#2';

/** The job's pull requests. */
const own = (state: PrState = 'merged', ...more: { prId: string; state: PrState }[]) => [
  { prId: PR, state },
  ...more,
];

const event = (kind: (typeof KINDS)[number], pr_id: string | null = PR) => ({
  kind: toEventKey(kind),
  pr_id,
});

test('every kind of event has a sentence that names the pull request (EVT-2)', () => {
  assert.equal(
    KINDS.map((kind) => describeInboxItems([event(kind)], own())),
    [
      'A reviewer approved local:shop#2.',
      'A reviewer requested changes on local:shop#2.',
      'A reviewer commented on local:shop#2.',
      'A reviewer commented on the code of local:shop#2.',
      'A check of local:shop#2 failed.',
      'All checks of local:shop#2 are green.',
      'local:shop#2 can no longer be merged without further work.',
      'local:shop#2 was merged.',
      'local:shop#2 was closed without a merge.',
      'local:shop#2 was opened again.',
    ],
  );
});

test('the same thing is said once, and a comment on a ticket is not a review', () => {
  const message = { kind: 'message' as const, pr_id: null };
  assert.is(describeInboxItems([], []), null);
  assert.is(
    describeInboxItems([event('commented'), event('commented'), message, message], own()),
    'A reviewer commented on local:shop#2 (2 times). Developers wrote to you 2 times.',
  );
  assert.is(
    describeInboxItems([event('commented', 'jira:SHOP-1'), message], own()),
    'A comment was posted on jira:SHOP-1. A developer wrote to you.',
  );
});

test('a merge names what is still open, and a close says that the same change is not to be opened again (JOB-6)', () => {
  const open = { prId: 'local:shop#3', state: 'open' as const };
  assert.is(
    describeInboxItems([event('commented')], own('open', open)),
    'A reviewer commented on local:shop#2.',
  );
  assert.is(
    describeInboxItems([event('merged'), event('commented')], own('merged', open)),
    'local:shop#2 was merged. A reviewer commented on local:shop#2. Still open: local:shop#3.',
  );
  assert.is(
    describeInboxItems([event('closed')], own('closed', open)),
    'local:shop#2 was closed without a merge. Do not open the change of local:shop#2 again as it was: find out what is wanted instead, ask a person, or escalate. Still open: local:shop#3.',
  );
  assert.is(
    describeInboxItems([event('closed'), event('reopened')], own('open', open)),
    'local:shop#2 was closed without a merge. local:shop#2 was opened again.',
  );
});

test('many things are cut short, and an id cannot begin a line', () => {
  const many = Array.from({ length: MAX_HAPPENED_SENTENCES + 2 }, (_, n) =>
    event('merged', `local:shop#${n}`),
  );
  const text = describeInboxItems(many, []) ?? '';
  assert.is(text.match(/was merged/g)?.length, MAX_HAPPENED_SENTENCES);
  assert.ok(text.endsWith(' More has happened, see below.'));
  assert.is(describeInboxItems([event('merged', 'a\n## x')], []), 'a ## x was merged.');
});

test('what resumed a job is a sentence and no key', () => {
  assert.equal(
    [
      null,
      'approve',
      'reject',
      'manual-resume',
      'sub-runs',
      'event:merged',
      'toString',
      'x"y\n',
    ].map((key) => describeResumeKey(key, false)),
    [
      null,
      'A developer approved the phase before this one.',
      'A developer rejected what was shown.',
      'A developer resumed the job.',
      'The sub-runs of this job are over.',
      'A pull request of this job was merged.',
      'The job was resumed with the key "toString".',
      'The job was resumed with the key "x\\"y".',
    ],
  );
  assert.is(describeResumeKey('event:merged', true), null, 'its text has a sentence of its own');
  assert.is(describeResumeKey('approve', true), 'A developer approved the phase before this one.');
});

test.run();
