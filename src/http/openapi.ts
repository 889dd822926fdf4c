import type Type from 'typebox';
import { ERROR_CODES, type ErrorCode } from '../lib/errors.ts';
import { Problem } from '../schema/replies.ts';
import { paramNames, paramSchema } from './params.ts';
import type { Route } from './route.ts';
import { withSharedSchemas } from './sharedSchemas.ts';

/** Codes that any route may answer with. */
const OF_EVERY_ROUTE: readonly ErrorCode[] = ['unauthorized', 'foreign-host', 'foreign-origin', 'internal'];
const OF_A_BODY: readonly ErrorCode[] = ['malformed', 'too-large', 'unsupported-type', 'invalid'];

function refusalsOf({ refusals, body, query, path }: Route): ErrorCode[] {
  return [
    ...new Set<ErrorCode>([
      ...refusals,
      ...(body ? OF_A_BODY : []),
      ...(body || query ? (['bad-argument'] as const) : []),
      ...(path.includes(':') ? (['not-found'] as const) : []),
      ...OF_EVERY_ROUTE,
    ]),
  ];
}

function refusalReplies(route: Route): Record<string, unknown> {
  const codes = new Map<number, ErrorCode[]>();
  for (const code of refusalsOf(route)) codes.set(ERROR_CODES[code][0], [...(codes.get(ERROR_CODES[code][0]) ?? []), code]);
  const content = { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } };
  return Object.fromEntries([...codes].map(([status, names]) => [status, { description: `code: ${names.join(', ')}`, content }]));
}

function parameters({ path, query, method }: Route): unknown[] {
  const properties: Record<string, Type.TSchema> = query ? Object(Reflect.get(query, 'properties')) : {};
  return [
    ...paramNames(path).map((name) => ({ name, in: 'path', required: true, schema: paramSchema(name) })),
    ...Object.entries(properties).map(([name, schema]) => ({ name, in: 'query', required: false, schema })),
    ...(method === 'POST'
      ? [{ name: 'Idempotency-Key', in: 'header', required: false, schema: { type: 'string', minLength: 1, maxLength: 128 } }]
      : []),
    ...(method === 'PUT' ? [{ name: 'If-Match', in: 'header', required: true, schema: { type: 'string' } }] : []),
  ];
}

function operation(route: Route): Record<string, unknown> {
  const { name, summary, deprecated, guarded, body, bodyRequired = true, reply, mime, status } = route;
  const content = reply === null ? {} : { content: { [mime]: { schema: reply } } };
  return {
    operationId: name,
    summary,
    ...(deprecated ? { deprecated } : {}),
    ...(guarded ? { security: [{ token: [] }] } : {}),
    parameters: parameters(route),
    ...(body ? { requestBody: { required: bodyRequired, content: { 'application/json': { schema: body } } } } : {}),
    responses: { [status]: { description: 'Done', ...content }, ...refusalReplies(route) },
  };
}

/** The OpenAPI 3.1 document of the table. TypeBox schemas are JSON Schema 2020-12, so they stand in it as they are. */
export function openapiOf(routes: readonly Route[], version: string): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    const path = route.path.replace(/:([a-zA-Z]+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route) };
  }
  const shared = withSharedSchemas(paths);
  return {
    openapi: '3.1.0',
    info: { title: 'svc runner', version, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: '/' }],
    // An empty member: where the runner is bound to loopback most of it asks for no token by default.
    security: [{ token: [] }, {}],
    paths: shared.document,
    components: {
      schemas: { Problem, ...shared.schemas },
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
    },
  };
}
