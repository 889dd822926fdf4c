/**
 * The only error class that crosses module boundaries.
 *
 * {@link ERROR_CODES} maps each code to its HTTP status and CLI exit code, so that no route or
 * command chooses its own.
 */

import { CLOUD_AWAY_EXIT_CODE, FENCED_EXIT_CODE } from './cloudExitCodes.ts';
import { isPassingFault } from './isPassingFault.ts';

/**
 * code → [HTTP status, title, CLI exit code, lasting]. Exit codes: see `svc help exit-codes`.
 *
 * Lasting: what the runner does for a job fails in the same way when it is tried again, because the
 * input or the configuration is wrong. `forbidden` is not lasting: permission can be granted while
 * the job waits. Codes that only occur in requests are not lasting either; the runner never retries
 * those.
 */
export const ERROR_CODES = {
  malformed: [400, 'Malformed request', 2, false],
  'bad-argument': [400, 'Invalid argument', 2, true],
  unauthorized: [401, 'Authentication required', 4, false],
  'foreign-host': [403, 'Host name not allowed', 4, false],
  'foreign-origin': [403, 'Origin not allowed', 4, false],
  forbidden: [403, 'Not allowed', 4, false],
  'not-found': [404, 'Not found', 3, true],
  'method-not-allowed': [405, 'Method not allowed', 2, false],
  'not-possible-now': [409, 'Not possible in the current state', 1, false],
  'shown-required': [409, 'The approval must name the version it is for', 1, false],
  'over-budget': [409, 'A budget is spent', 1, false],
  conflict: [409, 'Conflict', 1, false],
  'home-claimed': [409, 'Another runner has the home', FENCED_EXIT_CODE, false],
  'lease-running': [409, 'The runner that has the home may still act', 1, false],
  'precondition-failed': [412, 'Changed since it was read', 1, false],
  'too-large': [413, 'Too large', 2, true],
  'unsupported-type': [415, 'Unsupported content type', 2, false],
  'cannot-run': [422, 'The job cannot run with this configuration', 2, true],
  invalid: [422, 'Invalid content', 2, true],
  guardrail: [422, 'Denied by a guardrail', 2, true],
  'config-invalid': [422, 'Invalid configuration file', 2, true],
  'workflow-invalid': [422, 'Invalid workflow', 2, true],
  'precondition-required': [428, 'The request must name the version to replace', 2, false],
  'rate-limited': [429, 'Too many requests', 1, false],
  'too-many-headers': [431, 'Too many headers', 2, false],
  'chart-error': [500, 'The statechart failed on this event', 1, false],
  'broken-row': [500, 'A stored row cannot be read', 1, false],
  internal: [500, 'Internal error', 1, false],
  undecided: [502, 'Outcome unknown', 1, false],
  busy: [503, 'Too many connections', 5, false],
  'no-llm': [503, 'No model can hold a chat', 5, false],
  locked: [503, 'Another runner is using this home', 1, false],
  'temporarily-unavailable': [503, 'Temporarily unavailable; retry', 1, false],
  'store-failed': [503, 'The state could not be written', 1, false],
  stopping: [503, 'The runner is stopping', 5, false],
  unreachable: [503, 'The runner does not answer', 5, false],
  'cloud-unreachable': [503, 'The control plane does not answer', CLOUD_AWAY_EXIT_CODE, false],
  'runner-away': [503, 'The runner is not connected', 5, false],
  'runner-timeout': [504, 'The runner has not answered in time', 5, false],
} as const satisfies Record<string, readonly [number, string, number, boolean]>;

export type ErrorCode = keyof typeof ERROR_CODES;

/**
 * One field that is wrong: `pointer` is a JSON pointer into the body, or `file:line:column` for
 * files.
 */
export interface FieldError {
  pointer: string;
  message: string;
}

export interface SvcErrorExtras {
  errors?: readonly FieldError[];
  /**
   * Further members of the problem document (`state`, `accepts`, `reason`, `diagnostics`, …); never
   * secrets.
   */
  data?: Record<string, unknown>;
  cause?: unknown;
}

const isLastingCode = (code: ErrorCode): boolean => ERROR_CODES[code][3];

/**
 * An error whose message may be shown to the person who caused it: what is wrong, where, and how to
 * fix it.
 *
 * Whatever code it is given: where a passing fault of the machine is its `cause` (see
 * `isPassingFault`), it is not a lasting refusal but `temporarily-unavailable`. So no reader of files
 * calls a configuration invalid that could only not be read just now, if it names the cause.
 */
export class SvcError extends Error {
  readonly code: ErrorCode;
  readonly errors: readonly FieldError[];
  readonly data: Record<string, unknown>;

  constructor(code: ErrorCode, message: string, extras: SvcErrorExtras = {}) {
    super(message, extras.cause === undefined ? undefined : { cause: extras.cause });
    this.name = 'SvcError';
    this.code =
      isLastingCode(code) && isPassingFault(extras.cause) ? 'temporarily-unavailable' : code;
    this.errors = extras.errors ?? [];
    this.data = extras.data ?? {};
  }

  get status(): number {
    return ERROR_CODES[this.code][0];
  }
}

export const toErrorMessage = (thrown: unknown): string =>
  thrown instanceof Error ? thrown.message : String(thrown);

/**
 * Whether the error says that a person can repair its cause within a minute (`data.repairable`).
 */
export const isRepairable = (thrown: unknown): thrown is SvcError =>
  thrown instanceof SvcError && thrown.data.repairable === true;

/** Whether another attempt would fail in the same way; see {@link ERROR_CODES}. */
export const isLastingError = (thrown: unknown): thrown is SvcError => {
  if (!(thrown instanceof SvcError)) return false;
  return isLastingCode(thrown.code);
};
