import type { Context } from 'koa';
import type Type from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import type { RequestKey } from '../../../contract/job/requestKey.ts';
import { SvcError } from '../../../base/errors/errors.ts';
import { sha256 } from '../../../base/system/ids/ids.ts';
import type { RouteBody } from '../../../contract/routes/route.ts';
import { describeFieldErrors, joinFieldErrors } from '../replies/fieldErrors.ts';
import { hasBody, JSON_TYPE, MERGE_PATCH_TYPE, readMediaType } from './gates.ts';

/** Compiled on first use: a start does not wait for schemas that are never used. */
const compiled = new WeakMap<Type.TSchema, Validator>();
function compileSchemaOnce(schema: Type.TSchema): Validator {
  const validator = compiled.get(schema) ?? Compile(schema);
  compiled.set(schema, validator);
  return validator;
}

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

export interface RequestParts {
  query: unknown;
  body: unknown;
  requestKey: RequestKey | undefined;
}

/** Query, body and Idempotency-Key of a request. Throws SvcError where they are not what the route's schemas say. */
export const readRequestParts = (
  ctx: Context,
  route: { query?: Type.TObject; body?: RouteBody },
): RequestParts => ({
  query: checkQuery(ctx, route.query),
  body: checkRequestBody(ctx, route.body),
  requestKey: readRequestKey(ctx),
});
