import { PATIENCE } from './askPatiently.ts';
import { BuiltinSession, type BuiltinSessionOptions } from './builtinSession.ts';

/**
 * Everything heavy hangs on this file, so that a runner without such a session does not load it.
 */
export const startBuiltinSession = ({
  patience = PATIENCE,
  ...options
}: Omit<BuiltinSessionOptions, 'patience'> &
  Partial<Pick<BuiltinSessionOptions, 'patience'>>): BuiltinSession =>
  new BuiltinSession({ patience, ...options });
