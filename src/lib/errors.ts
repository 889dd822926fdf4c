/**
 * The one error family that crosses our own module borders.
 *
 * Each code stands once in {@link ERROR_CODES} with the HTTP status and the CLI exit code that it
 * becomes, so a route or a command never decides that for itself.
 */

/**
 * code → [HTTP status, title, CLI exit code, lasting]. Exit codes: see `svc help exit-codes`.
 *
 * Lasting: what the runner does for a job fails in the same way when it is tried again, because the
 * input or the configuration is wrong. `forbidden` is not lasting: permission can be granted while
 * the job waits. Codes that only requests meet are not lasting either; the runner never retries
 * them.
 */
export const ERROR_CODES = {
  malformed: [400, 'The request could not be read', 2, false],
  'bad-argument': [400, 'An argument is not allowed', 2, true],
  unauthorized: [401, 'A token is needed', 4, false],
  'foreign-host': [403, 'This host name is not served', 4, false],
  'foreign-origin': [403, 'Requests from this origin are refused', 4, false],
  forbidden: [403, 'Not allowed', 4, false],
  'not-found': [404, 'There is no such thing', 3, true],
  'method-not-allowed': [405, 'This address does not take that method', 2, false],
  'not-possible-now': [409, 'Not possible in this state', 1, false],
  'shown-required': [409, 'What is approved must be named', 1, false],
  conflict: [409, 'Something else has changed or is in the way', 1, false],
  'precondition-failed': [412, 'It has changed since it was read', 1, false],
  'too-large': [413, 'The body is too large', 2, true],
  'unsupported-type': [415, 'The content type is not supported', 2, false],
  'cannot-run': [422, 'The job cannot run as svc is configured', 2, true],
  invalid: [422, 'The content is not valid', 2, true],
  'config-invalid': [422, 'The configuration file is not valid', 2, true],
  'workflow-invalid': [422, 'The workflow is not valid', 2, true],
  'precondition-required': [428, 'The version that is meant must be named', 2, false],
  'rate-limited': [429, 'No more requests are allowed now', 1, false],
  'too-many-headers': [431, 'The request has too many headers', 2, false],
  'chart-error': [500, 'The statechart refused the event with an error', 1, false],
  internal: [500, 'The runner made a mistake', 1, false],
  undecided: [502, 'Nobody can tell whether it was done', 1, false],
  busy: [503, 'The runner has too many connections', 5, false],
  locked: [503, 'Another runner holds this home', 1, false],
  'store-failed': [503, 'The state could not be written', 1, false],
  stopping: [503, 'The runner is stopping', 5, false],
  unreachable: [503, 'The runner does not answer', 5, false],
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

/**
 * An error whose message may be shown to the person who caused it: what is wrong, where, and how to
 * mend it.
 */
export class SvcError extends Error {
  readonly code: ErrorCode;
  readonly errors: readonly FieldError[];
  readonly data: Record<string, unknown>;

  constructor(code: ErrorCode, message: string, extras: SvcErrorExtras = {}) {
    super(message, extras.cause === undefined ? undefined : { cause: extras.cause });
    this.name = 'SvcError';
    this.code = code;
    this.errors = extras.errors ?? [];
    this.data = extras.data ?? {};
  }

  get status(): number {
    return ERROR_CODES[this.code][0];
  }
}

/** The text of anything that was thrown. */
export const messageOf = (thrown: unknown): string =>
  thrown instanceof Error ? thrown.message : String(thrown);

/** Whether another attempt would fail in the same way: see {@link ERROR_CODES}. */
export const isLasting = (thrown: unknown): thrown is SvcError => {
  if (!(thrown instanceof SvcError)) return false;
  const [, , , lasting] = ERROR_CODES[thrown.code];
  return lasting;
};
