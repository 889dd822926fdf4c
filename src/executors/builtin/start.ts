import { PATIENCE } from './askPatiently.ts';
import { BuiltinSession, type BuiltinSessionOptions } from './builtinSession.ts';
import { ChatTurn, type ChatTurnOptions } from './chatTurn.ts';

/** The options, with optional patience. */
type Patiently<Options extends { patience: unknown }> = Omit<Options, 'patience'> &
  Partial<Pick<Options, 'patience'>>;

/**
 * All heavy modules are imported here, so that a runner without such a session does not load them.
 */
export const startBuiltinSession = ({
  patience = PATIENCE,
  ...options
}: Patiently<BuiltinSessionOptions>): BuiltinSession =>
  new BuiltinSession({ patience, ...options });

export const startChatTurn = ({
  patience = PATIENCE,
  ...options
}: Patiently<ChatTurnOptions>): ChatTurn => new ChatTurn({ patience, ...options });
