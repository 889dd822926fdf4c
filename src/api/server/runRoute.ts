import type { Context } from 'koa';
import type Type from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import type { RequestKey } from '../../contract/job/requestKey.ts';
import { BROKEN_ROWS_HEADER } from '../../base/http/brokenRowsHeader.ts';
import { SvcError } from '../../base/errors/errors.ts';
import { sha256 } from '../../base/system/ids/ids.ts';
import type { BrokenRow } from '../../contract/schema/job/brokenRow.ts';
import { readParams } from '../routes/params.ts';
import type { RouteBody } from '../routes/route.ts';
import type { Route } from '../routes/routes.ts';
import { readCaller, readSessionName } from './gates/access.ts';
import { describeFieldErrors, joinFieldErrors } from './replies/fieldErrors.ts';
import { hasBody, JSON_TYPE, MERGE_PATCH_TYPE, readMediaType } from './gates/gates.ts';
import { tellPage } from './replies/pages.ts';
import type { RouteEnv } from './handler.ts';
import { handlers } from './handlers.ts';

/** Compiled on first use: a start does not wait for schemas that are never used. */
const compiled = new WeakMap<Type.TSchema, Validator>();
function compileSchemaOnce(schema: Type.TSchema): Validator {
  const known = compiled.get(schema) ?? Compile(schema);
  compiled.set(schema, known);
  return known;
}

export const CSV_TYPE = 'text/csv';

/** Most rows that a reply names; the header has their number. */
const MOST_NAMED_ROWS = 50;

const PRINTABLE = /^[\x20-\x7e]{1,128}$/;

function readRequestKey(ctx: Context): RequestKey | undefined {
  const key = ctx.headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key !== 'string' || !PRINTABLE.test(key)) {
    throw new SvcError(
      'bad-argument',
      'Idempotency-Key must have 1 to 128 printable ASCII characters.',
    );
  }
  return { key, bodyHash: sha256(`${ctx.method}\n${ctx.path}\n${ctx.request.rawBody ?? ''}`) };
}

function checkRequestBody(ctx: Context, expected: RouteBody | undefined): unknown {
  if (!expected) return undefined;
  if (expected.required && !hasBody(ctx)) {
    if (readMediaType(ctx) !== JSON_TYPE)
      throw new SvcError(
        'unsupported-type',
        'A JSON body is required; send it with Content-Type: application/json.',
      );
    throw new SvcError('malformed', 'The body is empty; a JSON object is required.');
  }
  if (hasBody(ctx) && readMediaType(ctx) === MERGE_PATCH_TYPE && expected.form !== 'patch')
    throw new SvcError(
      'unsupported-type',
      'This route does not accept a merge patch; send the body with Content-Type: application/json.',
    );
  const body = hasBody(ctx) ? ctx.request.body : {};
  const validator = compileSchemaOnce(expected.schema);
  if (validator.Check(body)) return body;
  const errors = describeFieldErrors(validator, body);
  throw new SvcError('invalid', `The body is not valid: ${joinFieldErrors(errors)}`, { errors });
}

/** Query parameters are text; converts those that are whole numbers. */
function checkQuery(ctx: Context, schema: Type.TObject | undefined): unknown {
  if (!schema) return undefined;
  const query: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(ctx.query)) {
    if (Array.isArray(value))
      throw new SvcError('bad-argument', `The query parameter ${name} is given more than once.`);
    query[name] =
      isInteger(schema.properties[name]) && /^-?\d{1,15}$/.test(value ?? '')
        ? Number(value)
        : value;
  }
  const validator = compileSchemaOnce(schema);
  if (validator.Check(query)) return query;
  const errors = describeFieldErrors(validator, query).map(({ pointer, message }) => ({
    pointer: pointer.replace(/^\//, '?'),
    message,
  }));
  throw new SvcError('bad-argument', `The query is not valid: ${joinFieldErrors(errors)}`, {
    errors,
  });
}

const isInteger = (schema: Type.TSchema | undefined): boolean =>
  schema !== undefined && Reflect.get(schema, 'type') === 'integer';

/** An object that was made without rows that cannot be read names them; a list has only the header. */
function addBrokenRows(reply: unknown, broken: readonly BrokenRow[]): unknown {
  const isObject = typeof reply === 'object' && reply !== null && !Array.isArray(reply);
  if (broken.length === 0 || !isObject || 'broken' in reply) return reply;
  return { ...reply, broken: broken.slice(0, MOST_NAMED_ROWS) };
}

/** The rows of a page; where it is in its list goes into headers. */
function tellRows(
  ctx: Context,
  { query: schema }: Route,
  query: unknown,
  answer: unknown,
  page: string,
): unknown {
  const { limit = Reflect.get(Object(schema?.properties.limit), 'default'), offset = 0 } =
    Object(query);
  const { total, [page]: rows } = Object(answer);
  tellPage(ctx, { limit, offset, total });
  return rows;
}

/** Checks a request by the table, lets its handler answer, and sends what that gives. */
export async function runRoute(
  route: Route,
  ctx: Context,
  raw: Readonly<Record<string, string>>,
  env: RouteEnv,
): Promise<void> {
  const { name, kind, status, csv } = route;
  const params = readParams(route.path, raw);
  const query = checkQuery(ctx, route.query);
  const body = checkRequestBody(ctx, route.body);
  const requestKey = readRequestKey(ctx);
  const by = readCaller(ctx);
  const call = { params, query, body, requestKey, by, session: readSessionName(ctx), ctx };
  // The request was checked by the same schemas that the handler's type is made of.
  const handle = handlers[name] as (checked: typeof call, env: RouteEnv) => unknown;
  if (kind === 'text' || kind === 'bytes' || kind === 'events') {
    await handle(call, env);
    return;
  }
  const { value, met } = env.brokenRows.collectBroken(() => handle(call, env));
  const answer = await value;
  const broken = met();
  if (broken.length > 0) ctx.set(BROKEN_ROWS_HEADER, String(broken.length));
  ctx.status = status;
  if (kind === 'nothing') return;
  if (csv && ctx.accepts(JSON_TYPE, CSV_TYPE) === CSV_TYPE) {
    ctx.body = csv(answer as never);
    ctx.type = CSV_TYPE;
    return;
  }
  const reply = kind === 'json' ? answer : tellRows(ctx, route, query, answer, kind.page);
  ctx.body = JSON.stringify(addBrokenRows(reply, broken));
  ctx.type = 'application/json';
}
