import type { Middleware } from 'koa';
import { ERROR_CODES, toErrorMessage, SvcError } from '../../../base/errors/errors.ts';
import { isPassingFault } from '../../../base/errors/isPassingFault.ts';
import { screenTexts } from '../../../base/secrets/screenSecrets.ts';
import type { Problem } from '../../../contract/schema/api/replies.ts';

/** Where the API logs refusals and errors; a pino logger fits. */
export interface HttpLog {
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
  debug(details: object, message: string): void;
}

/** Seconds after which a client may retry a request that got a 503. */
const RETRY_AFTER_SECONDS = 1;

/** Faults of the machine that may have passed when the request is sent again are not internal errors. */
const toUnexpectedError = (thrown: unknown) =>
  isPassingFault(thrown) ? createPassingFaultError(thrown) : createInternalError(thrown);

const createPassingFaultError = (cause: unknown) =>
  new SvcError(
    'temporarily-unavailable',
    `The machine of the runner is short of something at the moment: ${toErrorMessage(cause)}. Nothing was done. Send the request again.`,
    { cause },
  );

const createInternalError = (thrown: unknown) =>
  new SvcError('internal', "Internal error. See the runner's log for this request ID.", {
    cause: thrown,
  });

/** The problem document (RFC 9457) of an error. */
export function toProblemDocument(error: SvcError, requestId: string): Problem {
  const [status, title] = ERROR_CODES[error.code];
  return {
    ...(status === 503 ? { reason: error.code } : {}),
    ...error.data,
    type: `urn:svc:problem:${error.code}`,
    title,
    status,
    detail: error.message,
    code: error.code,
    ...(error.errors.length > 0
      ? { errors: error.errors.map(({ pointer, message }) => ({ pointer, message })) }
      : {}),
    // A refusal that must not differ from others names none.
    requestId: error.data.requestId === '' ? '' : requestId,
  };
}

/**
 * Turns everything that inner middleware throws into a problem document. Unknown errors show only
 * the request ID.
 */
export const answerProblems =
  (log: HttpLog, screen: (text: string) => string): Middleware =>
  async (ctx, next) => {
    try {
      await next();
    } catch (thrown) {
      const error = thrown instanceof SvcError ? thrown : toUnexpectedError(thrown);
      const requestId: string = ctx.state.requestId;
      const where = {
        requestId,
        method: ctx.method,
        path: redactLoginPath(ctx.path),
        code: error.code,
      };
      // Expected refusals, whose stack has no information.
      if (error.code === 'stopping' || error.code === 'cloud-unreachable')
        log.warn(where, error.message);
      else if (error.status >= 500) log.error({ ...where, err: thrown }, error.message);
      else if (error.status === 401 || error.status === 403) log.warn(where, error.message);
      if (ctx.headerSent || ctx.respond === false) {
        // A stream that has begun cannot become a problem document: only a broken connection can
        // signal it.
        ctx.res.destroy();
        return;
      }
      if (error.status === 503) ctx.set('Retry-After', String(RETRY_AFTER_SECONDS));
      const { retryAfterSeconds } = error.data;
      if (error.status === 429 && typeof retryAfterSeconds === 'number')
        ctx.set('Retry-After', String(retryAfterSeconds));
      if (error.status === 401) ctx.set('WWW-Authenticate', 'Bearer realm="svc"');
      ctx.status = error.status;
      ctx.body = JSON.stringify(screenTexts(toProblemDocument(error, requestId), screen));
      ctx.type = 'application/problem+json';
    }
  };

/** Links that are a secret until they have been used: logins, and those of a control plane. */
const SECRET_PATH = /^(\/login|\/auth\/(?:owner|invitation|interaction))\/.*/s;

const redactLoginPath = (path: string): string => path.replace(SECRET_PATH, '$1/…').slice(0, 256);
