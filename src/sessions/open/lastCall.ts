import { isRepairable, SvcError, toErrorMessage } from '../../base/errors/errors.ts';
import type { SessionFault } from '../../base/errors/sessionFaults.ts';
import { isTemporary } from '../../base/errors/temporaryCodes.ts';
import type { SessionResult } from '../../contract/session/executor.ts';

/** Whether a person can remove the cause at a forge, at a tracker or in the configuration. */
function isForPerson(error: SvcError): boolean {
  const { code, data } = error;
  if (code === 'config-invalid' || code === 'forbidden') return true;
  // The status of another service, or its reason against a merge.
  return typeof data.status === 'number' || typeof data.reason === 'string' || isRepairable(error);
}

function classifyCallError(error: SvcError): SessionFault | null {
  const isPassing = isTemporary(error.code) || error.code === 'temporarily-unavailable';
  if (isPassing) return 'call-unanswered';
  return isForPerson(error) ? 'call-refused' : null;
}

/**
 * Remembers what became of a session's last call of a tool. Scripts stop at a command that fails,
 * so a program that ends with an error after a call that another service has refused, or has not
 * answered, has ended because of it.
 */
export class LastCall {
  #problem: { fault: SessionFault; message: string } | null = null;

  /** `error`: what the tool threw; null when a call begins. */
  readonly note = (error: unknown): void => {
    const fault = error instanceof SvcError ? classifyCallError(error) : null;
    this.#problem = fault === null ? null : { fault, message: toErrorMessage(error) };
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
