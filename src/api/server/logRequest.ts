import type { Context } from 'koa';
import type { Clock } from '../../base/time/clock.ts';
import { SvcError } from '../../base/errors/errors.ts';
import type { Route } from '../../contract/routes/routes.ts';
import { readCaller } from './gates/access.ts';
import type { HttpLog } from './replies/problems.ts';

/**
 * Answers a request and logs it at the level debug, by the name of its route: an address may have an id that is a
 * secret.
 */
export async function logRequest(
  { log, clock }: { log: HttpLog; clock: Clock },
  { name, method }: Route,
  ctx: Context,
  answer: () => Promise<void>,
): Promise<void> {
  const startedAt = clock.now();
  let errorCode: string | null = null;
  try {
    await answer();
  } catch (error) {
    errorCode = error instanceof SvcError ? error.code : 'internal';
    throw error;
  } finally {
    const { requestId } = ctx.state;
    const ms = clock.now() - startedAt;
    log.debug(
      { route: name, method, by: readCaller(ctx), failed: errorCode, ms, requestId },
      'request',
    );
  }
}
