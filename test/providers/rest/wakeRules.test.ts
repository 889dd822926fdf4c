import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { AuthoredEvent } from '../../../src/contract/forge/forge.ts';
import type { ProviderEventKind } from '../../../src/contract/schema/forge/pr.ts';
import { mayWake, parseWakeRules } from '../../../src/providers/rest/wakeRules.ts';

const test = suite('scm: who wakes a job');

const by = (
  author: string,
  more: Partial<AuthoredEvent> = {},
  kind: ProviderEventKind = 'commented',
): AuthoredEvent => ({
  own: false,
  bot: false,
  member: false,
  ...more,
  event: {
    kind,
    forge: 'github',
    repo: 'acme/shop',
    number: 1,
    prId: 'github:acme/shop#1',
    author,
    text: '',
    url: '',
    externalId: '1',
    happenedAt: 0,
  },
});

const awake = (rules: ReturnType<typeof parseWakeRules>, news: AuthoredEvent[]) =>
  news.filter((one) => mayWake(one, rules)).map(({ event }) => event.author);

const CROWD = [
  by('ann', { member: true }),
  by('outsider'),
  by('dependabot', { bot: true, member: true }),
  by('svc-robot', { own: true, member: true }),
];

test('by default members of the repository wake jobs; outsiders, programs and svc itself do not (OVR-6)', () => {
  assert.equal(awake(parseWakeRules('', ''), CROWD), ['ann']);
});

test('others can be named: only them, or everyone; programs, svc itself and ignored authors never wake jobs', () => {
  assert.equal(awake(parseWakeRules('@Outsider, bob', ''), CROWD), ['outsider']);
  assert.equal(awake(parseWakeRules('*', ''), CROWD), ['ann', 'outsider']);
  assert.equal(awake(parseWakeRules('*', 'ANN'), CROWD), ['outsider']);
});

test('a merge and a close are reported regardless of who did them; checks and conflicts have no author to check', () => {
  const kinds: ProviderEventKind[] = [
    'merged',
    'closed',
    'check_failed',
    'check_passed',
    'conflict',
    'approved',
    'review_thread',
  ];
  const wakingKinds = kinds.filter((kind) =>
    mayWake(by('outsider', {}, kind), parseWakeRules('', '')),
  );
  assert.equal(wakingKinds, ['merged', 'closed', 'check_failed', 'check_passed', 'conflict']);
  assert.ok(mayWake(by('svc-robot', { own: true }, 'merged'), parseWakeRules('', 'svc-robot')));
});

test.run();
