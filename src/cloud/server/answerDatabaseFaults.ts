import type { Middleware } from 'koa';
import { toDatabaseFault } from '../database/databaseFaults.ts';

/** A database that is away during a request is no internal error: the request can be sent again. */
export const answerDatabaseFaults: Middleware = async (_ctx, next) => {
  try {
    await next();
  } catch (error) {
    throw toDatabaseFault(error);
  }
};
