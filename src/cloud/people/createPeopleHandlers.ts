import { checkNewestAudit } from '../server/audit/checkNewestAudit.ts';
import { readAudit } from '../server/audit/readAudit.ts';
import type { CallTeam, CloudHandlers, Person } from '../server/cloudCall.ts';
import type { CloudContext } from '../server/cloudContext.ts';
import { findAddress } from '../server/findAddress.ts';
import type { teamRoutes } from '../routes/teamRoutes.ts';
import type { BrowserSessions } from './sessions/browserSessions.ts';
import { createInvitation, listInvitations, revokeInvitation } from './teams/invitations.ts';
import { changeRole, listMembers, removeMember } from './teams/members.ts';
import { addTeam, changeTeam, listTeams, readTeam, removeTeam } from './teams/teams.ts';

const toCaller = (person: Person, { role }: CallTeam) => ({ ...person, role });

export const createPeopleHandlers = (
  cloud: CloudContext,
  sessions: BrowserSessions,
): CloudHandlers<typeof teamRoutes> => ({
  async me({ person, ctx }) {
    // A token is not asked for the second value, so it gets none.
    const session = ctx.get('Authorization') === '' ? await sessions.find(ctx) : null;
    return { ...person, csrf: session?.csrf ?? null, teams: await listTeams(cloud, person.userId) };
  },
  teams: async ({ person }) => ({ teams: await listTeams(cloud, person.userId) }),
  createTeam: ({ person, body: { name, slug }, ctx }) => {
    const team = { id: cloud.ids.next(), name, slug };
    const owner = { ...person, address: findAddress(ctx.req) };
    return cloud.database.transaction((sql) =>
      addTeam(sql, team, owner, new Date(cloud.clock.now())),
    );
  },
  team: ({ team }) => readTeam(cloud, team.id, team.role),
  async changeTeam({ team, body }) {
    await changeTeam(cloud, team.id, body);
    return readTeam(cloud, team.id, team.role);
  },
  deleteTeam: ({ team, query }) => removeTeam(cloud, team.id, query.name),
  teamAudit: ({ team, query }) => readAudit(cloud.database, team.id, query),
  teamAuditCheck: ({ team }) => checkNewestAudit(cloud.database, team.id),
  members: async ({ team }) => ({ members: await listMembers(cloud, team.id) }),
  changeMember: ({ team, person, params, body }) =>
    changeRole(
      cloud,
      { teamId: team.id, userId: params.userId, by: toCaller(person, team) },
      body.role,
    ),
  removeMember: ({ team, person, params }) =>
    removeMember(cloud, { teamId: team.id, userId: params.userId, by: toCaller(person, team) }),
  invitations: async ({ team }) => ({ invitations: await listInvitations(cloud, team.id) }),
  createInvitation: ({ team, person, body }) =>
    createInvitation(cloud, team.id, body.role, toCaller(person, team)),
  revokeInvitation: ({ team, params }) => revokeInvitation(cloud, team.id, params.invitationId),
});
