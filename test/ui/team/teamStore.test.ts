import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { TeamRunner } from '../../../src/contract/schema/cloud/teamRunner.ts';
import { createTeamStore, findScope } from '../../../ui/team/teamStore.ts';
import { toTestRunner } from '../../support/cloud/toTestRunner.ts';

const test = suite('dashboard of a team: its store');

const REVOKED = { connected: false, revokedAt: '2026-11-30T01:00:00.000Z' };

const open = (...runners: TeamRunner[]) =>
  createTeamStore({
    slug: 'acme',
    me: { userId: 'u1', email: 'ada@svc.example', name: 'Ada', csrf: null, teams: [] },
    surface: { role: 'member', operations: [] },
    runners,
  });

const readScope = (store: ReturnType<typeof open>) => findScope(store.getSnapshot().context);

test('the only runner is shown by itself while it is connected', () => {
  assert.is(readScope(open(toTestRunner('r1'))), 'r1');
  assert.is(readScope(open(toTestRunner('r1'), toTestRunner('r2', REVOKED))), 'r1');
  assert.is(readScope(open(toTestRunner('r1', { connected: false }))), null);
  assert.is(readScope(open(toTestRunner('r1'), toTestRunner('r2'))), null);
  assert.is(readScope(open()), null);
});

test('a chosen runner stays chosen while it is away, until it is revoked', () => {
  const store = open(toTestRunner('r1'), toTestRunner('r2'));
  store.trigger.runnerChosen({ runner: 'r2' });
  store.trigger.runnersRead({
    runners: [toTestRunner('r1'), toTestRunner('r2', { connected: false })],
  });
  assert.is(readScope(store), 'r2');
  store.trigger.runnersRead({
    runners: [toTestRunner('r1'), toTestRunner('r2', REVOKED), toTestRunner('r3')],
  });
  assert.is(readScope(store), null);
});

test('the same list of runners redraws nothing', () => {
  const store = open(toTestRunner('r1'));
  const before = store.getSnapshot().context;
  store.trigger.runnersRead({ runners: [toTestRunner('r1')] });
  assert.is(store.getSnapshot().context, before);
});

test('what a new job asks for changes one part at a time', () => {
  const store = open();
  store.trigger.targetChosen({ target: { labels: ['gpu'] } });
  store.trigger.targetChosen({ target: { runner: 'r1' } });
  assert.equal(store.getSnapshot().context.target, { runner: 'r1', labels: ['gpu'] });
});

test.run();
