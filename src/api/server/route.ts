import type { Context } from 'koa';
import Type from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import type { Clock } from '../../shared/time/clock.ts';
import { type ErrorCode, SvcError } from '../../shared/errors/errors.ts';
import { sha256 } from '../../shared/system/ids/ids.ts';
import type { Intake } from '../../contract/planning/intake.ts';
import type { Plugins } from '../../contract/runner/plugins.ts';
import type { BrokenRowNotes, Runner } from '../../contract/runner/runner.ts';
import type { BrokenRow } from '../../contract/schema/job/brokenRow.ts';
import type { RunnerProcess } from '../../contract/runner/runnerProcess.ts';
import type { RequestKey } from '../../contract/job/requestKey.ts';
import type { SetUpWizard } from '../../contract/runner/setUp.ts';
import type { Trust } from '../../contract/workflow/trust.ts';
import type { Configuration } from '../../contract/runner/configuration.ts';
import { BROKEN_ROWS_HEADER } from '../../shared/http/brokenRowsHeader.ts';
import { describeFieldErrors, joinFieldErrors } from './replies/fieldErrors.ts';
import type { Access } from './gates/access.ts';
import { readMediaType, hasBody, JSON_TYPE, MERGE_PATCH_TYPE } from './gates/gates.ts';
import { checkParam, type ParamName, type ParamsOf, listParamNames } from './params.ts';
import type { LoginCodes } from './login/loginCodes.ts';
import type { Logins } from './login/logins.ts';
import type { OpenStreams } from './streams/openStreams.ts';

/** What the routes work with. */
export interface RouteEnv {
  runner: Runner;
  intake: Intake;
  config: Configuration;
  trust: Trust;
  setUp: SetUpWizard;
  clock: Clock;
  plugins: Plugins;
  streams: OpenStreams;
  codes: LoginCodes;
  logins: Logins;
  process: RunnerProcess;
  brokenRows: BrokenRowNotes;
  /** All metrics in the text format of Prometheus, with its media type. */
  metrics(): Promise<{ type: string; text: string }>;
  /** The document of GET /openapi.json. */
  openapi(): Record<string, unknown>;
}

/** A request whose parts have been checked. */
export interface Call<Names extends ParamName, Body, Query> {
  params: Readonly<Record<Names, string>>;
  body: Body;
  query: Query;
  /** From the header Idempotency-Key. */
  requestKey: RequestKey | undefined;
  ctx: Context;
}

/** One line of the table from which the router and the OpenAPI document are made. */
interface RouteSpec<Path extends string, Body extends Type.TSchema, Query extends Type.TSchema> {
  /** Name of the operation; the client's method has the same. */
  name: string;
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: Path;
  summary: string;
  body?: Body;
  /** Default true: a request without body is refused. */
  bodyRequired?: boolean;
  query?: Query;
  /** What the route requires of its caller. It has no default, so that no route is forgotten. */
  access: Access;
  /** Also takes its body as a merge patch (RFC 7396) by name, `application/merge-patch+json`. */
  mergePatch?: true;
  /** An older address of another route. */
  deprecated?: true;
  /** Error codes of this route, in addition to those of every route. */
  refusals: readonly ErrorCode[];
}

type AnySpec = RouteSpec<string, Type.TSchema, Type.TSchema>;

interface JsonSpec<
  Path extends string,
  Body extends Type.TSchema,
  Query extends Type.TSchema,
  Reply extends Type.TSchema,
> extends RouteSpec<Path, Body, Query> {
  /** Default 200. */
  status?: number;
  /** null: 204 without a body. */
  reply: Reply | null;
  /** The reply as CSV, for requests that accept it before JSON; default: it has none. */
  csv?: (reply: Type.Static<Reply>) => string;
  handle(
    call: Call<ParamsOf<Path>, Type.Static<Body>, Type.Static<Query>>,
    env: RouteEnv,
  ): Type.Static<Reply> | Promise<Type.Static<Reply>>;
}

interface RawSpec<Path extends string, Body extends Type.TSchema, Query extends Type.TSchema>
  extends RouteSpec<Path, Body, Query> {
  /** Media type of the reply, which the handler writes by itself. */
  mime: string;
  handle(
    call: Call<ParamsOf<Path>, Type.Static<Body>, Type.Static<Query>>,
    env: RouteEnv,
  ): void | Promise<void>;
}

/** A route whatever its schemas are. */
export interface Route extends AnySpec {
  status: number;
  reply: Type.TSchema | null;
  mime: string;
  /** It also answers with CSV. */
  hasCsv: boolean;
  run(ctx: Context, params: Readonly<Record<string, string>>, env: RouteEnv): Promise<void>;
}

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

function checkRequestBody(
  ctx: Context,
  { body: schema, bodyRequired = true, mergePatch }: AnySpec,
): unknown {
  if (!schema) return undefined;
  if (bodyRequired && !hasBody(ctx)) {
    if (readMediaType(ctx) !== JSON_TYPE)
      throw new SvcError(
        'unsupported-type',
        'A JSON body is required; send it with Content-Type: application/json.',
      );
    throw new SvcError('malformed', 'The body is empty; a JSON object is required.');
  }
  if (hasBody(ctx) && readMediaType(ctx) === MERGE_PATCH_TYPE && !mergePatch)
    throw new SvcError(
      'unsupported-type',
      'This route does not accept a merge patch; send the body with Content-Type: application/json.',
    );
  const body = hasBody(ctx) ? ctx.request.body : {};
  const validator = compileSchemaOnce(schema);
  if (validator.Check(body)) return body;
  const errors = describeFieldErrors(validator, body);
  throw new SvcError('invalid', `The body is not valid: ${joinFieldErrors(errors)}`, { errors });
}

/** Query parameters are text; converts those that are whole numbers. */
function checkQuery(ctx: Context, schema: Type.TSchema | undefined): unknown {
  if (!schema) return undefined;
  const properties: Record<string, { type?: unknown }> = Object(Reflect.get(schema, 'properties'));
  const query: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(ctx.query)) {
    if (Array.isArray(value))
      throw new SvcError('bad-argument', `The query parameter ${name} is given more than once.`);
    query[name] =
      properties[name]?.type === 'integer' && /^-?\d{1,15}$/.test(value ?? '')
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

function parseRouteCall(spec: AnySpec, ctx: Context, raw: Readonly<Record<string, string>>) {
  const params: Record<string, string> = {};
  for (const name of listParamNames(spec.path)) params[name] = checkParam(name, raw[name]);
  const query = checkQuery(ctx, spec.query);
  const body = checkRequestBody(ctx, spec);
  return { params, query, body, requestKey: readRequestKey(ctx), ctx };
}

/** An object that was made without rows that cannot be read names them; a list has only the header. */
function addBrokenRows(reply: unknown, broken: readonly BrokenRow[]): unknown {
  const isObject = typeof reply === 'object' && reply !== null && !Array.isArray(reply);
  if (broken.length === 0 || !isObject || 'broken' in reply) return reply;
  return { ...reply, broken: broken.slice(0, MOST_NAMED_ROWS) };
}

/** A route that answers with JSON, or with nothing (204). */
export function defineJsonRoute<
  const Path extends string,
  Reply extends Type.TSchema = Type.TUndefined,
  Body extends Type.TSchema = Type.TUndefined,
  Query extends Type.TSchema = Type.TUndefined,
>(spec: JsonSpec<Path, Body, Query, Reply>): Route {
  const status = spec.status ?? (spec.reply === null ? 204 : 200);
  return {
    ...spec,
    status,
    mime: JSON_TYPE,
    hasCsv: spec.csv !== undefined,
    async run(ctx, raw, env) {
      // Checked by the very schemas from which these types are made.
      const call = parseRouteCall(spec, ctx, raw) as Call<
        ParamsOf<Path>,
        Type.Static<Body>,
        Type.Static<Query>
      >;
      const { value, met } = env.brokenRows.collectBroken(() => spec.handle(call, env));
      const reply = await value;
      const broken = met();
      if (broken.length > 0) ctx.set(BROKEN_ROWS_HEADER, String(broken.length));
      ctx.status = status;
      if (spec.reply === null) return;
      if (spec.csv && ctx.accepts(JSON_TYPE, CSV_TYPE) === CSV_TYPE) {
        ctx.body = spec.csv(reply);
        ctx.type = CSV_TYPE;
        return;
      }
      ctx.body = JSON.stringify(addBrokenRows(reply, broken));
      ctx.type = 'application/json';
    },
  };
}

/** A route that writes its reply by itself: bytes, a stream of events. */
export function defineRawRoute<
  const Path extends string,
  Body extends Type.TSchema = Type.TUndefined,
  Query extends Type.TSchema = Type.TUndefined,
>(spec: RawSpec<Path, Body, Query>): Route {
  return {
    ...spec,
    status: 200,
    reply: Type.String(),
    hasCsv: false,
    async run(ctx, raw, env) {
      await spec.handle(
        parseRouteCall(spec, ctx, raw) as Call<
          ParamsOf<Path>,
          Type.Static<Body>,
          Type.Static<Query>
        >,
        env,
      );
    },
  };
}
