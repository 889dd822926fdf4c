import { type ErrorCode, SvcError } from '../../base/errors/errors.ts';
import type { Problem } from '../../contract/schema/api/replies.ts';

/**
 * The runner refused a request: HTTP status, error code and problem document.
 */
export class ClientError extends Error {
  readonly status: number;
  readonly code: ErrorCode | 'unknown';
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.detail);
    this.name = 'ClientError';
    this.status = problem.status;
    this.code = problem.code as ErrorCode | 'unknown';
    this.problem = problem;
  }
}

const isProblem = (value: unknown): value is Problem =>
  typeof value === 'object' &&
  value !== null &&
  'code' in value &&
  typeof value.code === 'string' &&
  'detail' in value &&
  typeof value.detail === 'string';

/** A server that is not a runner, or a proxy in front of one, may answer with anything. */
async function readProblem(response: Response): Promise<Problem> {
  const text = await response.text();
  try {
    const value: unknown = JSON.parse(text);
    if (isProblem(value)) return { ...value, status: response.status };
  } catch {
    // Not JSON: described below.
  }
  const detail = `${response.url} answered ${response.status} ${response.statusText} without giving a reason. Is it an svc runner?`;
  return {
    type: 'about:blank',
    title: response.statusText,
    status: response.status,
    detail,
    code: 'unknown',
    requestId: response.headers.get('X-Request-Id') ?? '',
  };
}

/** @throws ClientError for every status that is not 2xx */
export async function refuseBad(response: Response): Promise<Response> {
  if (response.ok) return response;
  throw new ClientError(await readProblem(response));
}

/** Turns a `fetch` error into SvcError `unreachable`; an aborted request stays as thrown. */
export function toUnreachableError(thrown: unknown, baseUrl: string): unknown {
  if (!(thrown instanceof TypeError)) return thrown;
  return new SvcError(
    'unreachable',
    `No runner answers at ${baseUrl}. Start one with \`svc start\`, or name another one with --url.`,
    { cause: thrown },
  );
}
