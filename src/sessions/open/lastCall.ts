import type { SessionFault } from '../../base/errors/sessionFaults.ts';
import { isTemporary } from '../../base/errors/temporaryCodes.ts';
import type { SessionResult } from '../../contract/session/executor.ts';
import type { CallProblem } from '../../executors/tools/host/callProblem.ts';

/** Whether a person can remove the cause at a forge, at a tracker or in the configuration. */
function isForPerson({ code, data }: CallProblem): boolean {
  if (code === 'config-invalid' || code === 'forbidden') return true;
  const { status, reason, repairable } = data;
  return typeof status === 'number' || typeof reason === 'string' || repairable === true;
}

/** Whether a recorded failure of a write is about the service, and not about what was written. */
export const isOfService = (result: Readonly<Record<string, unknown>>): boolean =>
  typeof result.code === 'string' &&
  classifyCallProblem({ code: result.code, message: '', data: result }) !== null;

function classifyCallProblem(problem: CallProblem): SessionFault | null {
  if (isTemporary(problem.code) || problem.code === 'temporarily-unavailable')
    return 'call-unanswered';
  return isForPerson(problem) ? 'call-refused' : null;
}

/** Programs often print what a call has answered; then it is not repeated. */
const appendCause = (error: string | null, message: string): string =>
  error?.includes(message) === true
    ? error
    : `${error ?? ''} Its last call of another service failed: ${message}`.trim();

/**
 * Remembers the outcome of a session's last call of another service. Scripts stop at a command that
 * fails, or repeat it until their time is over, so a program that ends so after a call that the
 * service has refused, or has not answered, has ended because of it. Calls that change the job
 * alone do not count: scripts report their failure by them.
 */
export class LastCall {
  #problem: { fault: SessionFault; message: string } | null = null;

  /** `problem`: null when a call of another service begins. */
  readonly note = (problem: CallProblem | null): void => {
    if (problem === null) this.#problem = null;
    const fault = problem === null ? null : classifyCallProblem(problem);
    if (problem !== null && fault !== null) this.#problem = { fault, message: problem.message };
  };

  /**
   * The result of the session, with the cause of its exit code where the last call has it. A program
   * that wants to continue later, since a service does not answer, waits as for every outage.
   */
  addCause(result: SessionResult): SessionResult {
    if (this.#problem === null) return result;
    const { fault, message } = this.#problem;
    const isOwnExit = result.stopReason === 'error' && result.fault === 'own-exit';
    if (isOwnExit || result.stopReason === 'limit') {
      const error = appendCause(result.error, message);
      return { ...result, stopReason: 'error', error, fault };
    }
    if (result.stopReason === 'pause_turn' && fault === 'call-unanswered')
      return { ...result, stopReason: 'error', error: message, fault };
    return result;
  }
}
