import type { Member } from '../../src/contract/schema/cloud/team.ts';
import type { TeamRole } from '../../src/contract/schema/cloud/teamRole.ts';
import { includesRole } from './roles.ts';

/** Whether this member is the one that a team must keep. */
export const isOnlyOwner = (member: Member, members: readonly Member[]): boolean =>
  member.role === 'owner' && members.filter(({ role }) => role === 'owner').length === 1;

/** Whether someone with a role may change or remove a member: only owners touch an owner. */
export const canChangeMember = (own: TeamRole, { role }: Pick<Member, 'role'>): boolean =>
  includesRole(own, 'admin') && (role !== 'owner' || own === 'owner');
