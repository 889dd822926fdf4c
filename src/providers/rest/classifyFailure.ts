import { SvcError } from '../../shared/errors/errors.ts';

/** Requests in sequence without an answer after which a poll ends: the server is away. */
export const MAX_UNANSWERED = 3;

/**
 * What has failed: all of it (the account is refused or limited, this machine has a passing fault),
 * the server, which gives no answer, or what was asked about alone.
 */
export type FailureScope = 'all' | 'no answer' | 'one';

/** An error that is not svc's own is about an answer of another shape than expected. */
export function classifyFailure(error: unknown): FailureScope {
  if (!(error instanceof SvcError)) return 'one';
  const { code, data } = error;
  if (code === 'rate-limited' || code === 'config-invalid' || code === 'temporarily-unavailable')
    return 'all';
  // What answers with something else does answer.
  const isAnswer = typeof data.status === 'number' && data.status < 300;
  return code === 'unreachable' && !isAnswer ? 'no answer' : 'one';
}
