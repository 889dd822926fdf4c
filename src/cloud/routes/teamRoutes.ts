import { requireBody } from '../../contract/routes/route.ts';
import {
  ChangeTeamBody,
  CreateTeamBody,
  DeleteTeamQuery,
  InvitationList,
  Me,
  Member,
  MemberList,
  NewInvitation,
  RoleBody,
  Team,
  TeamList,
} from '../../contract/schema/cloud/team.ts';
import {
  AuditPage,
  AuditQuery,
  MOST_CHECKED_ENTRIES,
  TeamAuditCheck,
} from '../../contract/schema/cloud/audit.ts';
import type { SomeCloudRoutes } from './cloudRoute.ts';

/** People and their teams. */
export const teamRoutes = {
  me: {
    who: 'person',
    summary: 'Who you are, your teams with your roles, and what a browser sends with changes.',
    reply: Me,
    refusals: [],
  },
  teams: {
    who: 'person',
    summary: 'The teams that you are in.',
    reply: TeamList,
    refusals: [],
  },
  createTeam: {
    who: 'person',
    summary: 'Creates a team. You become its owner.',
    body: requireBody(CreateTeamBody),
    status: 201,
    reply: Team,
    refusals: ['conflict', 'invalid'],
  },
  team: {
    who: 'viewer',
    summary: 'One team, by ID or slug.',
    reply: Team,
    refusals: [],
  },
  changeTeam: {
    who: 'admin',
    summary:
      'Renames a team, or changes its slug, its limit of jobs per person or the repository of its overlay. Addresses with an old slug stop working.',
    target: ['name', 'slug', 'maxRunningPerPerson', 'overlayRepository'],
    body: requireBody(ChangeTeamBody),
    reply: Team,
    refusals: ['conflict', 'invalid'],
  },
  deleteTeam: {
    who: 'owner',
    summary:
      'Deletes a team with its invitations, runners and dispatches. Its name must be given. Jobs stay on their runners.',
    query: DeleteTeamQuery,
    refusals: ['bad-argument'],
  },
  teamAudit: {
    who: 'admin',
    summary:
      'Who asked for which change, and when. Entries are kept for a year. The hash of each includes all before it.',
    query: AuditQuery,
    reply: AuditPage,
    refusals: [],
  },
  teamAuditCheck: {
    who: 'admin',
    summary: `Whether the newest ${MOST_CHECKED_ENTRIES.toLocaleString('en')} entries of the audit log are as they were written. \`svc cloud audit verify\` checks all of them, on your machine.`,
    reply: TeamAuditCheck,
    refusals: [],
  },
  members: {
    who: 'viewer',
    summary: 'The members of a team, with their roles.',
    reply: MemberList,
    refusals: [],
  },
  changeMember: {
    who: 'admin',
    summary:
      'Changes the role of a member. Only owners make or demote an owner, and a team keeps at least one.',
    target: ['role'],
    body: requireBody(RoleBody),
    reply: Member,
    refusals: ['not-possible-now'],
  },
  removeMember: {
    who: 'viewer',
    summary:
      'Removes a member and revokes their runners. Everyone may remove themselves, except the only owner.',
    refusals: ['forbidden', 'not-possible-now'],
  },
  invitations: {
    who: 'admin',
    summary: 'The invitations whose links still work.',
    reply: InvitationList,
    refusals: [],
  },
  createInvitation: {
    who: 'admin',
    summary: 'Creates a link that lets one person into the team, within seven days.',
    target: ['role'],
    body: requireBody(RoleBody),
    status: 201,
    reply: NewInvitation,
    refusals: [],
  },
  revokeInvitation: {
    who: 'admin',
    summary: 'Revokes an invitation: its link stops working.',
    refusals: [],
  },
} satisfies SomeCloudRoutes;
