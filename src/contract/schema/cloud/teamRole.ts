import Type from 'typebox';

/** What a member of a team may do: each role may do all that the ones before it may. */
const ORDER = ['viewer', 'member', 'admin', 'owner'] as const;

export const TeamRole = Type.Enum([...ORDER]);
export type TeamRole = Type.Static<typeof TeamRole>;

/** The role with this name; null = no role has it. */
export const parseTeamRole = (name: unknown): TeamRole | null =>
  ORDER.find((role) => role === name) ?? null;

/** Whether a role includes another one. */
export const hasRole = (role: TeamRole, required: TeamRole): boolean =>
  ORDER.indexOf(role) >= ORDER.indexOf(required);
