import type { Context, Middleware } from 'koa';
import type { Clock } from '../../base/time/clock.ts';
import { createDatabaseAwayError, toDatabaseFault } from '../database/databaseFaults.ts';

/** From this time on a request that is not answered checks whether the database still answers, ms. */
export const PATIENCE_MS = 5_000;

/**
 * A database that is away during a request is no internal error: the request can be sent again. One
 * that only no longer answers, as behind a network that drops everything, reports no error: a request
 * that takes long asks for it.
 */
export const answerDatabaseFaults =
  (clock: Clock, isDatabaseReachable: () => Promise<boolean>): Middleware =>
  async (ctx, next) => {
    const silence = watchForSilence(ctx, clock, isDatabaseReachable);
    try {
      await Promise.race([next(), silence.noticed]);
    } catch (error) {
      throw toDatabaseFault(error);
    } finally {
      silence.end();
    }
  };

/** `outage` rejects when the database does not answer and the reply has not begun; it never resolves. */
function watchForSilence(ctx: Context, clock: Clock, isDatabaseReachable: () => Promise<boolean>) {
  let isOver = false;
  let cancel: () => void = () => undefined;
  const outage = new Promise<never>((_resolve, reject) => {
    const check = async (): Promise<void> => {
      const isFine = ctx.headerSent || ctx.respond === false || (await isDatabaseReachable());
      if (isOver) return;
      if (isFine) arm();
      else reject(createDatabaseAwayError(new Error('no answer in time')));
    };
    const arm = (): void => {
      cancel = clock.at(clock.now() + PATIENCE_MS, () => void check());
    };
    arm();
  });
  const end = (): void => {
    isOver = true;
    cancel();
  };
  return { noticed: outage, end };
}
