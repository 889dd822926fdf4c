import Type from 'typebox';
import { TeamRole } from '../cloud/teamRole.ts';

/**
 * How a request came in: with the runner's token, with the login of the dashboard, without a
 * credential because none was needed, or from a member of the team through the control plane. The
 * first three name no person: every program of the same user can read the token.
 */
export const Caller = Type.Union([
  Type.Literal('token'),
  Type.Literal('login'),
  Type.Literal('open'),
  Type.Literal('member'),
]);
export type Caller = Type.Static<typeof Caller>;

/** A member of the team, as the control plane names them to its runners. */
export const Member = Type.Object({
  userId: Type.String({ minLength: 1, maxLength: 64 }),
  name: Type.String({ minLength: 1, maxLength: 200 }),
  role: TeamRole,
});
export type Member = Type.Static<typeof Member>;
