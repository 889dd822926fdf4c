import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { RouteName } from '../../../src/contract/routes/addresses.ts';
import { SHORTCUTS, TEAM_SHORTCUTS } from '../../../ui/shell/keys/keys.ts';
import { listShortcuts } from '../../../ui/shell/keys/listShortcuts.ts';
import { isHashOffered } from '../../../ui/shell/navigation/offeredPages.ts';
import { listPlaces } from '../../../ui/shell/navigation/navigationPlaces.ts';
import { findPageFolder, parseRoute, toHashOfPath } from '../../../ui/shell/navigation/router.ts';
import type { Team } from '../../../ui/shell/team.ts';

const test = suite('dashboard of a team: what is offered');

const TEAM = {} as Team;
const offerOnly =
  (...names: RouteName[]) =>
  (name: RouteName): boolean =>
    names.includes(name);

const listOfferedNames = (team: Team | null, offers: (name: RouteName) => boolean): string[] =>
  listPlaces({ team, offers }).map(({ href }) => href);

test('a runner of one’s own has every page, and none of a team', () => {
  const places = listOfferedNames(null, () => true);
  assert.ok(places.includes('#/settings'));
  assert.not.ok(places.includes('#/members'));
  assert.equal(listShortcuts({ team: null, offers: () => true }), SHORTCUTS);
});

test('a page without its operation is in no menu, and no key leads to it (CLD-5)', () => {
  const offers = offerOnly('statistics');
  const places = listOfferedNames(TEAM, offers);
  assert.ok(places.includes('#/statistics'));
  assert.ok(places.includes('#/members'));
  for (const hash of ['#/settings', '#/plan', '#/plugins', '#/new']) {
    assert.not.ok(places.includes(hash), hash);
    assert.not.ok(isHashOffered(hash, offers), hash);
  }
  const keys = listShortcuts({ team: TEAM, offers }).map(({ does }) =>
    'go' in does ? does.go : '',
  );
  assert.not.ok(keys.includes('#/new'));
  assert.ok(keys.includes('#/runners'));
});

test('the audit log is offered only to those who may read it (CLD-1)', () => {
  assert.ok(listOfferedNames(TEAM, offerOnly('audit')).includes('#/audit'));
  assert.not.ok(listOfferedNames(TEAM, offerOnly()).includes('#/audit'));
  assert.not.ok(isHashOffered('#/audit?person=ben', offerOnly()));
  const keys = listShortcuts({ team: TEAM, offers: offerOnly() }).map(({ does }) =>
    'go' in does ? does.go : '',
  );
  assert.not.ok(keys.includes('#/audit'));
});

test('no shortcut of a team hides another', () => {
  const all = [...SHORTCUTS, ...TEAM_SHORTCUTS].map(({ keys }) => keys.join(' '));
  assert.is(new Set(all).size, all.length);
});

test('the pages of a team have addresses below that of the team', () => {
  assert.equal(parseRoute('#/members'), { page: 'team', part: 'members', query: {} });
  assert.equal(parseRoute('#/dispatches?id=d1'), {
    page: 'team',
    part: 'dispatches',
    query: { id: 'd1' },
  });
  assert.is(toHashOfPath({ pathname: '/t/acme/', search: '' }), null);
  assert.is(toHashOfPath({ pathname: '/t/acme/jobs/j1', search: '?x=y' }), '#/jobs/j1?x=y');
  assert.is(findPageFolder({ pathname: '/t/acme/jobs/j1' }), '/t/acme/');
  assert.is(findPageFolder({ pathname: '/dashboard/jobs/j1' }), '/dashboard/');
});

test.run();
