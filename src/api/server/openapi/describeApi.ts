import Type from 'typebox';
import { ERROR_CODES, type ErrorCode } from '../../../base/errors/errors.ts';
import { Problem } from '../../../contract/schema/api/replies.ts';
import { CSV_TYPE, JSON_TYPE, MERGE_PATCH_TYPE } from '../gates/gates.ts';
import type { RouteBody } from '../../../contract/routes/route.ts';
import { hoistSharedSchemas } from './hoistSharedSchemas.ts';

/** What the document says of a route, of whichever program. */
export interface DescribedRoute {
  name: string;
  method: string;
  path: string;
  summary: string;
  deprecated?: true;
  query?: Type.TObject;
  body?: RouteBody;
  /** null: 204 without a body. */
  reply: Type.TSchema | null;
  status: number;
  mime: string;
  csv?: (reply: never) => string;
  plainText?: string;
  refusals: readonly ErrorCode[];
}

/** What differs between the programs that have an API. */
export interface ApiDescription<Route extends DescribedRoute> {
  title: string;
  version: string;
  /** Codes that gates in front of every route refuse with. */
  refusalsOfEveryRoute: readonly ErrorCode[];
  /** An empty list = the route needs no credential. */
  describeSecurity(route: Route): Record<string, []>[];
  /** JSON Schema of a value in a path. */
  describeParam(name: string): object;
  securitySchemes: Record<string, unknown>;
  /** Further members of an operation, whose names begin with x-. */
  describeMore?(route: Route): object;
}

const listPathNames = (path: string): string[] =>
  [...path.matchAll(/:([a-zA-Z][a-zA-Z0-9]*)/g)].map(([, name]) => name ?? '');

/** Refusals that come from the connection rather than from the route. */
const OF_EVERY_CONNECTION: readonly ErrorCode[] = [
  'too-many-headers',
  'busy',
  'temporarily-unavailable',
];
const OF_A_BODY: readonly ErrorCode[] = ['malformed', 'too-large', 'unsupported-type', 'invalid'];

function listRouteRefusals(
  { refusals, body, query, path }: DescribedRoute,
  ofEveryRoute: readonly ErrorCode[],
): ErrorCode[] {
  return [
    ...new Set<ErrorCode>([
      ...refusals,
      ...(body ? OF_A_BODY : []),
      ...(body || query ? (['bad-argument'] as const) : []),
      ...(path.includes(':') ? (['not-found'] as const) : []),
      ...ofEveryRoute,
      ...OF_EVERY_CONNECTION,
    ]),
  ];
}

function describeRefusalReplies(
  route: DescribedRoute,
  ofEveryRoute: readonly ErrorCode[],
): Record<string, unknown> {
  const codes = new Map<number, ErrorCode[]>();
  for (const code of listRouteRefusals(route, ofEveryRoute))
    codes.set(ERROR_CODES[code][0], [...(codes.get(ERROR_CODES[code][0]) ?? []), code]);
  const content = {
    'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
  };
  return Object.fromEntries(
    [...codes].map(([status, names]) => [
      status,
      { description: `code: ${names.join(', ')}`, content },
    ]),
  );
}

function describeParameters(
  { path, query, method }: DescribedRoute,
  describeParam: ApiDescription<DescribedRoute>['describeParam'],
): unknown[] {
  const requiredParams: readonly string[] = query?.required ?? [];
  return [
    ...listPathNames(path).map((name) => ({
      name,
      in: 'path',
      required: true,
      schema: describeParam(name),
    })),
    ...Object.entries(query?.properties ?? {}).map(([name, schema]) => ({
      name,
      in: 'query',
      required: requiredParams.includes(name),
      schema,
    })),
    ...(method === 'POST'
      ? [
          {
            name: 'Idempotency-Key',
            in: 'header',
            required: false,
            schema: { type: 'string', minLength: 1, maxLength: 128 },
          },
        ]
      : []),
    ...(method === 'PUT'
      ? [{ name: 'If-Match', in: 'header', required: false, schema: { type: 'string' } }]
      : []),
  ];
}

const describeBodyContent = ({ schema, form }: RouteBody): Record<string, unknown> => ({
  [JSON_TYPE]: { schema },
  ...(form === 'patch' ? { [MERGE_PATCH_TYPE]: { schema } } : {}),
});

const describeReplyContent = (
  { mime, csv }: DescribedRoute,
  schema: Type.TSchema,
): Record<string, unknown> => ({
  [mime]: { schema },
  ...(csv ? { [CSV_TYPE]: { schema: Type.String() } } : {}),
});

function describePlainText({ plainText: description }: DescribedRoute): Record<number, object> {
  const content = { 'text/plain': { schema: Type.String() } };
  return description === undefined ? {} : { 200: { description, content } };
}

function describeOperation<Route extends DescribedRoute>(
  route: Route,
  { describeSecurity, describeParam, describeMore, refusalsOfEveryRoute }: ApiDescription<Route>,
): Record<string, unknown> {
  const { name, summary, deprecated, body, reply, status } = route;
  const content = reply === null ? {} : { content: describeReplyContent(route, reply) };
  return {
    operationId: name,
    summary,
    ...describeMore?.(route),
    ...(deprecated ? { deprecated } : {}),
    security: describeSecurity(route),
    parameters: describeParameters(route, describeParam),
    ...(body
      ? { requestBody: { required: body.required, content: describeBodyContent(body) } }
      : {}),
    responses: {
      [status]: { description: 'Done', ...content },
      ...describePlainText(route),
      ...describeRefusalReplies(route, refusalsOfEveryRoute),
    },
  };
}

/**
 * The OpenAPI 3.1 document of a table. TypeBox schemas are JSON Schema 2020-12, so they are
 * included unchanged.
 */
export function describeApi<Route extends DescribedRoute>(
  routes: readonly Route[],
  description: ApiDescription<Route>,
): Record<string, unknown> {
  const { title, version, securitySchemes } = description;
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    const path = route.path.replace(/:([a-zA-Z][a-zA-Z0-9]*)/g, '{$1}');
    paths[path] = {
      ...paths[path],
      [route.method.toLowerCase()]: describeOperation(route, description),
    };
  }
  const hoistedDocument = hoistSharedSchemas(paths);
  return {
    openapi: '3.1.0',
    info: { title, version, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: '/' }],
    paths: hoistedDocument.document,
    components: { schemas: { Problem, ...hoistedDocument.schemas }, securitySchemes },
  };
}
