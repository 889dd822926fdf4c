import { bodyParser } from '@koa/bodyparser';
import type { Context, Middleware } from 'koa';
import { MAX_BODY_BYTES, type RouteBody } from '../../../contract/routes/route.ts';
import { SvcError } from '../../../base/errors/errors.ts';
import { JSON_TYPE, MERGE_PATCH_TYPE, readMediaType } from './gates.ts';
import { discardBody } from '../../../base/system/network/requestBody.ts';
import { isTooDeep, findJsonFault, MAX_JSON_DEPTH } from './jsonText.ts';

/** Errors of the parser and its dependencies; all of them are caused by the sender. */
interface ParserError extends Error {
  status?: number;
  type?: string;
  body?: unknown;
}

function refuseUnparsedBody(error: ParserError, maxBytes: number): never {
  if (error.status === 413)
    throw new SvcError('too-large', `The body may have at most ${maxBytes} bytes.`);
  if (error.status === 415)
    throw new SvcError(
      'unsupported-type',
      'Unsupported Content-Encoding. Send the body uncompressed or with gzip.',
    );
  if (typeof error.body !== 'string')
    throw new SvcError('malformed', 'The body could not be read completely.');
  const fault = findJsonFault(error.body);
  if (fault) {
    const { line, column, message } = fault;
    throw new SvcError(
      'malformed',
      `The body is not JSON: line ${line}, column ${column}: ${message}.`,
      {
        data: { line, column },
      },
    );
  }
  if (!/^\s*[[{]/.test(error.body))
    throw new SvcError('malformed', 'The body must be a JSON object.');
  throw new SvcError(
    'malformed',
    'The names "__proto__" and "constructor.prototype" are not allowed in a body.',
  );
}

const createBodyParser = (maxBytes: number) =>
  bodyParser({
    enableTypes: ['json'],
    extendTypes: { json: [JSON_TYPE, MERGE_PATCH_TYPE] },
    // Spares the comparison with every type that the parser knows.
    detectJSON: (ctx) => readMediaType(ctx) === JSON_TYPE,
    parsedMethods: ['POST', 'PUT', 'PATCH', 'DELETE'],
    jsonStrict: true,
    jsonLimit: maxBytes,
    encoding: 'utf-8',
    onError: (error) => refuseUnparsedBody(error, maxBytes),
  });

/** One parser for each size that the table has. */
const parsers = new Map<number, Middleware>();
function findBodyParser(maxBytes: number): Middleware {
  const parser = parsers.get(maxBytes) ?? createBodyParser(maxBytes);
  parsers.set(maxBytes, parser);
  return parser;
}

/**
 * Reads a JSON body: object or list, at most as large as its route takes (an unknown address:
 * {@link MAX_BODY_BYTES}), not nested deeper than {@link MAX_JSON_DEPTH}. Does not touch a body that its handler reads as bytes: a
 * signature is of them as they came.
 */
export const parseJsonBody =
  (findBody: (ctx: Context) => RouteBody | undefined): Middleware =>
  async (ctx, next) => {
    const { maxBytes, form } = findBody(ctx) ?? { maxBytes: MAX_BODY_BYTES, form: 'json' };
    if (form === 'bytes') return next();
    try {
      await findBodyParser(maxBytes)(ctx, async () => {
        if (typeof ctx.request.rawBody === 'string' && isTooDeep(ctx.request.rawBody)) {
          throw new SvcError(
            'malformed',
            `The body is nested deeper than ${MAX_JSON_DEPTH} levels.`,
          );
        }
        await next();
      });
    } catch (error) {
      if (error instanceof SvcError && error.code === 'too-large') await discardBody(ctx.req);
      throw error;
    }
  };
