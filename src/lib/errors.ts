/**
 * The one error family that crosses our own module borders.
 *
 * Each code stands once in {@link ERROR_CODES} with the HTTP status and the CLI exit code that it becomes,
 * so a route or a command never decides that for itself.
 */

/** code → [HTTP status, title, CLI exit code]. Exit codes: see `svc help exit-codes`. */
export const ERROR_CODES = {
  malformed: [400, 'The request could not be read', 2],
  'bad-argument': [400, 'An argument is not allowed', 2],
  unauthorized: [401, 'A token is needed', 4],
  'foreign-host': [403, 'This host name is not served', 4],
  'foreign-origin': [403, 'Requests from this origin are refused', 4],
  forbidden: [403, 'Not allowed', 4],
  'not-found': [404, 'There is no such thing', 3],
  'method-not-allowed': [405, 'This address does not take that method', 2],
  'not-possible-now': [409, 'Not possible in this state', 1],
  'shown-required': [409, 'What is approved must be named', 1],
  conflict: [409, 'Something else has changed or is in the way', 1],
  'precondition-failed': [412, 'It has changed since it was read', 1],
  'too-large': [413, 'The body is too large', 2],
  'unsupported-type': [415, 'The content type is not supported', 2],
  'cannot-run': [422, 'The job cannot run as svc is configured', 2],
  invalid: [422, 'The content is not valid', 2],
  'config-invalid': [422, 'The configuration file is not valid', 2],
  'workflow-invalid': [422, 'The workflow is not valid', 2],
  'precondition-required': [428, 'The version that is meant must be named', 2],
  'rate-limited': [429, 'No more requests are allowed now', 1],
  'too-many-headers': [431, 'The request has too many headers', 2],
  'chart-error': [500, 'The statechart refused the event with an error', 1],
  internal: [500, 'The runner made a mistake', 1],
  undecided: [502, 'Nobody can tell whether it was done', 1],
  busy: [503, 'The runner has too many connections', 5],
  locked: [503, 'Another runner holds this home', 1],
  'store-failed': [503, 'The state could not be written', 1],
  stopping: [503, 'The runner is stopping', 5],
  unreachable: [503, 'The runner does not answer', 5],
} as const satisfies Record<string, readonly [number, string, number]>;

export type ErrorCode = keyof typeof ERROR_CODES;

/** One field that is wrong: `pointer` is a JSON pointer into the body, or `file:line:column` for files. */
export interface FieldError {
  pointer: string;
  message: string;
}

export interface SvcErrorExtras {
  errors?: readonly FieldError[];
  /** Further members of the problem document (`state`, `accepts`, `reason`, `diagnostics`, …); never secrets. */
  data?: Record<string, unknown>;
  cause?: unknown;
}

/** An error whose message may be shown to the person who caused it: what is wrong, where, and how to mend it. */
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
export const messageOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));
