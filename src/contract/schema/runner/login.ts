import Type from 'typebox';
import { IsoTime } from '../kit/schemaKit.ts';

/** A link that logs a browser in, once. */
export const LoginLink = Type.Object({
  /** Path below the runner's address. It is a secret until it was used. */
  path: Type.String(),
  /** Until when it is good. */
  expiresAt: IsoTime,
});
export type LoginLink = Type.Static<typeof LoginLink>;

/** How many dashboard logins were ended. */
export const EndedLogins = Type.Object({ ended: Type.Integer() });
export type EndedLogins = Type.Static<typeof EndedLogins>;
