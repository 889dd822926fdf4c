import type { TeamRole } from '../../../src/contract/schema/cloud/teamRole.ts';

/** From the lowest to the highest. */
export const TEAM_ROLES: readonly TeamRole[] = ['viewer', 'member', 'admin', 'owner'];
