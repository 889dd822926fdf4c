import { toFault } from '../../domain/toFault.ts';
import type { Clock } from '../../lib/clock.ts';
import { messageOf } from '../../lib/errors.ts';
import { deadline } from '../../lib/waiting.ts';
import { type AgentProcess, stopOfGone } from '../process/agentProcess.ts';
import type { Cause } from '../process/sessionOutput.ts';

/** How long the program has to end once its input is closed, or its conversation broke off, ms. */
export const EXIT_MS = 5_000;

/** Why a conversation broke off with an error: the words of the program where it has ended. */
export async function causeOfEnd(
  error: unknown,
  program: AgentProcess | null,
  { clock, isOpened }: { clock: Clock; isOpened: boolean },
): Promise<Cause> {
  const gone = program && (await deadline(clock, EXIT_MS, program.exited, () => null));
  const words = gone && program ? `${gone.words} ${program.lastWords()}` : messageOf(error);
  const stop = gone
    ? stopOfGone(gone, isOpened)
    : { stopReason: 'error' as const, fault: toFault(error) };
  return { ...stop, error: words };
}
