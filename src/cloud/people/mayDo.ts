import { hasRole, type TeamRole } from '../../contract/schema/cloud/teamRole.ts';

/**
 * Who may do what in a team. `any`: the least role that may do it to anything; `own`: to what the
 * person made or has (a job, a dispatch, a runner, their own membership).
 *
 * Roles of routes come from here too, so that a page can ask before it offers something.
 */
export const TEAM_ACTIONS = {
  'team.read': { any: 'viewer', own: 'viewer' },
  'team.rename': { any: 'admin', own: 'admin' },
  'team.delete': { any: 'owner', own: 'owner' },
  'member.read': { any: 'viewer', own: 'viewer' },
  // Roles up to admin; who is or becomes an owner is decided by owners.
  'member.change': { any: 'admin', own: 'admin' },
  'member.remove': { any: 'admin', own: 'viewer' },
  'owner.change': { any: 'owner', own: 'owner' },
  'invitation.read': { any: 'admin', own: 'admin' },
  'invitation.create': { any: 'admin', own: 'admin' },
  'invitation.revoke': { any: 'admin', own: 'admin' },
  'runner.read': { any: 'viewer', own: 'viewer' },
  'runner.pair': { any: 'member', own: 'member' },
  'runner.pairPool': { any: 'admin', own: 'admin' },
  // Also for a viewer who was a member before: a person can always take their own machine away.
  'runner.revoke': { any: 'admin', own: 'viewer' },
  // What happens with the home of a machine that is lost.
  'runner.takeover': { any: 'admin', own: 'member' },
  'job.read': { any: 'viewer', own: 'viewer' },
  'job.create': { any: 'member', own: 'member' },
  'job.command': { any: 'member', own: 'member' },
  'proposal.read': { any: 'viewer', own: 'viewer' },
  // That the creator of its job does not apply it is checked where it is applied.
  'proposal.decide': { any: 'member', own: 'member' },
  'overlay.read': { any: 'viewer', own: 'viewer' },
  'overlay.write': { any: 'admin', own: 'admin' },
  'overlay.restore': { any: 'admin', own: 'admin' },
  'dispatch.read': { any: 'viewer', own: 'viewer' },
  'dispatch.cancel': { any: 'admin', own: 'member' },
  'dispatch.giveUp': { any: 'admin', own: 'admin' },
} as const satisfies Record<string, { any: TeamRole; own: TeamRole }>;

export type TeamAction = keyof typeof TEAM_ACTIONS;

/**
 * Whether a person may do this. The one place that decides it. `isOwn`: the thing is theirs; leave
 * it out for what has no owner.
 */
export function mayDo(role: TeamRole, action: TeamAction, isOwn = false): boolean {
  const { any, own } = TEAM_ACTIONS[action];
  return hasRole(role, any) || (isOwn && hasRole(role, own));
}
