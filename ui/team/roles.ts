import type { TeamRole } from '../../src/contract/schema/cloud/teamRole.ts';

/** Each role may do all that the ones before it may. */
export const ROLES = ['viewer', 'member', 'admin', 'owner'] as const satisfies readonly TeamRole[];

export const includesRole = (role: TeamRole, required: TeamRole): boolean =>
  ROLES.indexOf(role) >= ROLES.indexOf(required);

export const ROLE_TEXT: Readonly<Record<TeamRole, string>> = {
  viewer: 'Sees all jobs and runners.',
  member: 'Starts jobs, answers them, and pairs machines of their own.',
  admin: 'Invites people, changes roles, pairs and revokes every runner.',
  owner: 'Does everything, and can delete the team.',
};

/** The roles that a person may give to others, or take from them. */
export const listGrantableRoles = (own: TeamRole): TeamRole[] =>
  includesRole(own, 'admin') ? ROLES.filter((role) => role !== 'owner' || own === 'owner') : [];
