import Type from 'typebox';

/**
 * How a request came in: with the runner's token, with the login of the dashboard, or without a
 * credential because none was needed. It names no person: every program of the same user can read
 * the token.
 */
export const Caller = Type.Union([
  Type.Literal('token'),
  Type.Literal('login'),
  Type.Literal('open'),
]);
export type Caller = Type.Static<typeof Caller>;
