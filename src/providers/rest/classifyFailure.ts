import { SvcError } from '../../base/errors/errors.ts';

/** Unanswered requests in sequence after which a poll ends, since the server is away. */
export const MAX_UNANSWERED = 3;

/**
 * What failed: everything (the account is refused or limited, or this machine has a passing fault),
 * the server, which gives no answer, or only what was asked about.
 */
export type FailureScope = 'all' | 'no answer' | 'one';

/** An error that is not svc's own means an answer of an unexpected shape. */
export function classifyFailure(error: unknown): FailureScope {
  if (!(error instanceof SvcError)) return 'one';
  const { code, data } = error;
  if (code === 'rate-limited' || code === 'config-invalid' || code === 'temporarily-unavailable')
    return 'all';
  const isAnswer = typeof data.status === 'number' && data.status < 300;
  return code === 'unreachable' && !isAnswer ? 'no answer' : 'one';
}
