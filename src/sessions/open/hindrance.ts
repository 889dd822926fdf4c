import type { SessionFault } from '../../base/errors/sessionFaults.ts';
import { isTemporary } from '../../base/errors/temporaryCodes.ts';
import { toThrownFault } from '../../base/errors/toThrownFault.ts';
import { isLastingError, isRepairable, SvcError } from '../../base/errors/errors.ts';
import { UnusableWorkflow } from '../prepare/resolvePhaseOverlay.ts';

/** This machine lacks what the session needs, such as its executor, its forge or a layer. */
class MachineLacks extends SvcError {}

/** What is found on this machine. Errors that a person repairs here let the job wait and try again. */
export async function refuseLacks<Found>(find: () => Found | Promise<Found>): Promise<Found> {
  try {
    return await find();
  } catch (error) {
    if (!isLastingError(error)) throw error;
    throw new MachineLacks(error.code, error.message, { data: error.data, cause: error });
  }
}

/** Whether an error ends a session, because opening it again at once would fail the same way. */
export const isHindrance = (error: unknown): error is Error =>
  error instanceof SvcError
    ? error.code !== 'stopping'
    : error instanceof UnusableWorkflow ||
      (error instanceof Error && toThrownFault(error) === 'not-written');

/** The fault for an error that was thrown while a session was opened or played. */
export function toSessionFault(error: Error): SessionFault {
  if (error instanceof SvcError && isTemporary(error.code)) return 'unreachable';
  if (error instanceof MachineLacks) return 'not-here';
  return isRepairable(error) ? 'not-written' : toThrownFault(error);
}
