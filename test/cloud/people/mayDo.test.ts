import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { mayDo, TEAM_ACTIONS, type TeamAction } from '../../../src/cloud/people/mayDo.ts';
import { TEAM_ROLES } from '../../support/cloud/teamRoles.ts';

const test = suite('cloud: who may do what');

/** viewer, member, admin, owner: `+` to anything, `o` to what is theirs, `-` not at all. */
const EXPECTED: Record<TeamAction, string> = {
  'team.read': '++++',
  'team.rename': '--++',
  'team.delete': '---+',
  'member.read': '++++',
  'member.change': '--++',
  'member.remove': 'oo++',
  'owner.change': '---+',
  'invitation.read': '--++',
  'invitation.create': '--++',
  'invitation.revoke': '--++',
  'runner.read': '++++',
  'runner.pair': '-+++',
  'runner.pairPool': '--++',
  'runner.revoke': 'oo++',
  'runner.takeover': '-o++',
  'job.read': '++++',
  'job.create': '-+++',
  'job.command': '-+++',
  'proposal.read': '++++',
  'proposal.decide': '-+++',
  'overlay.read': '++++',
  'overlay.write': '--++',
  'overlay.restore': '--++',
  'dispatch.read': '++++',
  'dispatch.cancel': '-o++',
  'dispatch.giveUp': '--++',
};

const actions = Object.keys(TEAM_ACTIONS) as TeamAction[];

test('every action has a row in the expected table (CLD-2)', () => {
  assert.equal(actions.toSorted(), Object.keys(EXPECTED).toSorted());
});

for (const action of actions)
  test(`${action}: ${EXPECTED[action]} (CLD-2)`, () => {
    const permissions = TEAM_ROLES.map((role) =>
      mayDo(role, action) ? '+' : mayDo(role, action, true) ? 'o' : '-',
    );
    assert.is(permissions.join(''), EXPECTED[action]);
  });

test('a higher role may do what a lower one may (CLD-2)', () => {
  for (const action of actions)
    for (const [n, role] of TEAM_ROLES.entries())
      for (const higher of TEAM_ROLES.slice(n))
        for (const isOwn of [false, true])
          assert.ok(!mayDo(role, action, isOwn) || mayDo(higher, action, isOwn), action);
});

test.run();
