import { toThrownFault } from '../../base/errors/toThrownFault.ts';
import type { Clock } from '../../base/time/clock.ts';
import { toErrorMessage } from '../../base/errors/errors.ts';
import { raceDeadline } from '../../base/time/waiting.ts';
import { type AgentProcess, classifyProcessExit } from '../process/agentProcess.ts';
import type { SessionEndCause } from '../process/sessionOutput.ts';

/**
 * How long the program may take to end after its input is closed or its conversation broke off, ms.
 */
export const EXIT_MS = 5_000;

/** Why a conversation broke off with an error: the program's last words if it has ended. */
export async function explainSessionEnd(
  error: unknown,
  program: AgentProcess | null,
  { clock, isOpened }: { clock: Clock; isOpened: boolean },
): Promise<SessionEndCause> {
  const exit = program && (await raceDeadline(clock, EXIT_MS, program.exited, () => null));
  const words =
    exit && program ? `${exit.words} ${program.formatLastWords()}` : toErrorMessage(error);
  const stop = exit
    ? classifyProcessExit(exit, isOpened)
    : { stopReason: 'error' as const, fault: toThrownFault(error) };
  return { ...stop, error: words };
}
