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

/**
 * Remembers the outcome of a session's last call of a tool. Scripts stop at a command that fails,
 * so a program that ends with an error after a call that another service has refused, or has not
 * answered, has ended because of it.
 */
export class LastCall {
  #problem: { fault: SessionFault; message: string } | null = null;

  /** `problem`: null when a call begins. */
  readonly note = (problem: CallProblem | null): void => {
    const fault = problem === null ? null : classifyCallProblem(problem);
    this.#problem = fault === null || problem === null ? null : { fault, message: problem.message };
  };

  /**
   * The result of the session, with the cause of its exit code where the last call has it. A program
   * that wants to continue later, since a service does not answer, waits as for every outage.
   */
  explain(result: SessionResult): SessionResult {
    if (this.#problem === null) return result;
    const { fault, message } = this.#problem;
    if (result.stopReason === 'error' && result.fault === 'own-exit') return { ...result, fault };
    if (result.stopReason === 'pause_turn' && fault === 'call-unanswered')
      return { ...result, stopReason: 'error', error: message, fault };
    return result;
  }
}
