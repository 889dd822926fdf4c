import type { Middleware } from 'koa';
import { SvcError } from '../../../base/errors/errors.ts';
import type { Credentials } from '../cloudCall.ts';
import { readLoginHash } from './readLoginHash.ts';

/** Requests of one login that a node answers at the same time, streams included. */
export const MOST_OPEN_OF_LOGIN = 500;
/** Seconds after which a further one may be sent again. */
const RETRY_AFTER_SECONDS = 1;

/**
 * Refuses with 429 what a login asks beyond {@link MOST_OPEN_OF_LOGIN}, before anything is read from the database:
 * thousands of requests would wait there for each other, and those of everyone else with them.
 */
export function limitOpenRequests(credentials: Pick<Credentials, 'readSecret'>): Middleware {
  const counts = new Map<string, number>();
  return (ctx, next) => {
    const login = readLoginHash(ctx, credentials);
    if (login === null) return next();
    const count = counts.get(login) ?? 0;
    if (count >= MOST_OPEN_OF_LOGIN)
      throw new SvcError(
        'rate-limited',
        `More than ${MOST_OPEN_OF_LOGIN} of your requests are open at the same time, streams included. Close some, or wait for their answers.`,
        { data: { retryAfterSeconds: RETRY_AFTER_SECONDS } },
      );
    counts.set(login, count + 1);
    ctx.res.once('close', () => {
      const remaining = (counts.get(login) ?? 1) - 1;
      if (remaining === 0) counts.delete(login);
      else counts.set(login, remaining);
    });
    return next();
  };
}
