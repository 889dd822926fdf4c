import Type from 'typebox';
import { ERROR_CODES, type ErrorCode } from '../../../base/errors/errors.ts';
import { PAGE_KEY_HEADER } from '../../../base/http/pageKey.ts';
import { Problem } from '../../../contract/schema/api/replies.ts';
import { JSON_TYPE, MERGE_PATCH_TYPE } from '../gates/gates.ts';
import { buildParamSchema, listParamNames } from '../../routes/params.ts';
import type { RouteBody } from '../../routes/route.ts';
import type { Route } from '../../routes/routes.ts';
import { CSV_TYPE } from '../runRoute.ts';
import { hoistSharedSchemas } from './hoistSharedSchemas.ts';

const OF_EVERY_ROUTE: readonly ErrorCode[] = [
  'unauthorized',
  'forbidden',
  'foreign-host',
  'foreign-origin',
  'internal',
];
/** Refusals that come from the connection rather than from the route. */
const OF_EVERY_CONNECTION: readonly ErrorCode[] = [
  'too-many-headers',
  'busy',
  'temporarily-unavailable',
];
const OF_A_BODY: readonly ErrorCode[] = ['malformed', 'too-large', 'unsupported-type', 'invalid'];

function listRouteRefusals({ refusals, body, query, path }: Route): ErrorCode[] {
  return [
    ...new Set<ErrorCode>([
      ...refusals,
      ...(body ? OF_A_BODY : []),
      ...(body || query ? (['bad-argument'] as const) : []),
      ...(path.includes(':') ? (['not-found'] as const) : []),
      ...OF_EVERY_ROUTE,
      ...OF_EVERY_CONNECTION,
    ]),
  ];
}

function describeRefusalReplies(route: Route): Record<string, unknown> {
  const codes = new Map<number, ErrorCode[]>();
  for (const code of listRouteRefusals(route))
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

function describeParameters({ path, query, method }: Route): unknown[] {
  const needed: readonly string[] = query?.required ?? [];
  return [
    ...listParamNames(path).map((name) => ({
      name,
      in: 'path',
      required: true,
      schema: buildParamSchema(name),
    })),
    ...Object.entries(query?.properties ?? {}).map(([name, schema]) => ({
      name,
      in: 'query',
      required: needed.includes(name),
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

/**
 * Token, or dashboard login; a login that changes something needs both of its values. The empty
 * member: on loopback nothing is needed.
 */
function describeSecurity({ access, method }: Route): Record<string, []>[] {
  if (access === 'own') return [];
  const login: Record<string, []> = method === 'GET' ? { login: [] } : { login: [], pageKey: [] };
  return [{ token: [] }, login, ...(access === 'write' ? [] : [{}])];
}

const describeBodyContent = ({ schema, form }: RouteBody): Record<string, unknown> => ({
  [JSON_TYPE]: { schema },
  ...(form === 'patch' ? { [MERGE_PATCH_TYPE]: { schema } } : {}),
});

const describeReplyContent = (
  { mime, csv }: Route,
  schema: Type.TSchema,
): Record<string, unknown> => ({
  [mime]: { schema },
  ...(csv ? { [CSV_TYPE]: { schema: Type.String() } } : {}),
});

function describeOperation(route: Route): Record<string, unknown> {
  const { name, summary, deprecated, body, reply, status } = route;
  const content = reply === null ? {} : { content: describeReplyContent(route, reply) };
  return {
    operationId: name,
    summary,
    ...(deprecated ? { deprecated } : {}),
    security: describeSecurity(route),
    parameters: describeParameters(route),
    ...(body
      ? { requestBody: { required: body.required, content: describeBodyContent(body) } }
      : {}),
    responses: { [status]: { description: 'Done', ...content }, ...describeRefusalReplies(route) },
  };
}

/**
 * The OpenAPI 3.1 document of the table. TypeBox schemas are JSON Schema 2020-12, so they are
 * included unchanged.
 */
export function buildOpenapiDocument(
  routes: readonly Route[],
  version: string,
): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    const path = route.path.replace(/:([a-zA-Z]+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: describeOperation(route) };
  }
  const shared = hoistSharedSchemas(paths);
  return {
    openapi: '3.1.0',
    info: { title: 'svc runner', version, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: '/' }],
    paths: shared.document,
    components: {
      schemas: { Problem, ...shared.schemas },
      securitySchemes: {
        token: {
          type: 'http',
          scheme: 'bearer',
          description: "Content of runner.token in svc's home.",
        },
        login: {
          type: 'apiKey',
          in: 'cookie',
          name: 'svc_login_3000',
          description:
            "Cookie of a dashboard login; its name ends with the runner's port. `svc open` creates one.",
        },
        pageKey: {
          type: 'apiKey',
          in: 'header',
          name: PAGE_KEY_HEADER,
          description:
            'Second secret of a dashboard login, kept by the dashboard in its own storage.',
        },
      },
    },
  };
}
