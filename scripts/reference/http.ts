import { buildOpenapiDocument } from '../../src/api/server/openapi/buildOpenapiDocument.ts';
import { routes, type Route } from '../../src/contract/routes/routes.ts';
import { code, page, plain, table } from './markdown.ts';
import { membersTable } from './members.ts';
import { type Schema, typeText } from './schemaText.ts';

interface Media {
  schema: Schema;
}

interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  schema: Schema;
}

interface Operation {
  operationId: string;
  summary: string;
  deprecated?: boolean;
  parameters: readonly Parameter[];
  requestBody?: { required: boolean; content: Readonly<Record<string, Media>> };
  responses: Readonly<
    Record<string, { description: string; content?: Readonly<Record<string, Media>> }>
  >;
}

interface Document {
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  components: { schemas: Readonly<Record<string, Schema>> };
}

/** What each class of access asks of a caller while `server.auth` is `auto`. */
const ACCESS: Readonly<Record<Route['access'], string>> = {
  own: 'No credential: the route checks by itself who sent the request.',
  basic: 'Open where only this machine can reach the runner; else a credential.',
  read: 'Open on this machine; a credential through a proxy, from elsewhere, and while webhooks are configured.',
  compute: 'As `read`. The method is `POST` because of the body; nothing changes.',
  scrape: 'Always a credential; that of `metrics.token` in the home is for this route alone.',
  write: 'Always a credential.',
};

const INTRODUCTION = `\`GET /openapi.json\` of a running runner is the same as an OpenAPI 3.1 document. A credential is
the token of the runner (\`Authorization: Bearer …\`) or a dashboard login. Bodies and answers are
JSON. Errors are problem documents; [errors.md](errors.md) explains each code. Every \`POST\` takes
an \`Idempotency-Key\`: the same key with the same body is carried out once.`;

/** Codes that any route can answer with, which are listed once. */
function codesOf(operation: Operation): string[] {
  return Object.values(operation.responses).flatMap(
    ({ description }) => /^code: (.*)$/.exec(description)?.[1]?.split(', ') ?? [],
  );
}

const PROBLEM = '`application/problem+json`';

function parametersText(parameters: readonly Parameter[]): string {
  const shown = parameters.filter(({ name }) => name !== 'Idempotency-Key');
  if (shown.length === 0) return '';
  const rows = shown.map(({ name, in: place, required, schema }) => {
    const preset =
      schema.default === undefined ? '' : ` Default: ${code(JSON.stringify(schema.default))}.`;
    return [
      code(name),
      place,
      typeText(schema),
      required ? 'yes' : '',
      `${plain(schema.description ?? '')}${preset}`.trim(),
    ];
  });
  return table(['Parameter', 'In', 'Type and limits', 'Required', 'Meaning'], rows);
}

const listed = (schema: Schema): string => {
  const text = membersTable(schema);
  return text.startsWith('|') ? `\n\n${text}` : ` ${text}`;
};

function bodyText({ requestBody }: Operation): string {
  if (!requestBody) return '';
  const [media] = Object.values(requestBody.content);
  const types = Object.keys(requestBody.content).map(code).join(' or ');
  const optional = requestBody.required ? '' : ', may be left out';
  return `Body (${types}${optional}):${listed(media?.schema ?? {})}`;
}

function answerText({ responses }: Operation): string {
  const [status = '', answer] =
    Object.entries(responses).find(([number]) => Number(number) < 400) ?? [];
  const [type, media] = Object.entries(answer?.content ?? {})[0] ?? [];
  if (type === undefined || media === undefined) return `Answer: ${status} without a body.`;
  return `Answer: ${status}, ${code(type)}.${type === 'application/json' ? listed(media.schema) : ''}`;
}

function routeText(
  path: string,
  method: string,
  operation: Operation,
  common: readonly string[],
): string[] {
  const access = routes.find(({ name }) => name === operation.operationId)?.access ?? 'write';
  const codes = codesOf(operation).filter((name) => !common.includes(name));
  return [
    `### ${method.toUpperCase()} ${path}`,
    `${operation.deprecated ? '*Deprecated.* ' : ''}${plain(operation.summary)}`,
    `Access: ${code(access)}.`,
    parametersText(operation.parameters),
    bodyText(operation),
    answerText(operation),
    codes.length === 0 ? '' : `Problem codes: ${codes.map((name) => code(name)).join(', ')}.`,
  ];
}

const groupOf = (path: string): string => path.split('/')[1]?.replace(/\..*$/, '') ?? '';

export function httpPage(): string {
  const { paths, components }: Document = JSON.parse(
    JSON.stringify(buildOpenapiDocument(routes, '')),
  );
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const [first, ...others] = all.map(({ operation }) => codesOf(operation));
  const common = (first ?? []).filter((name) => others.every((codes) => codes.includes(name)));
  const groups = [...new Set(all.map(({ path }) => groupOf(path)))].sort();
  return page('HTTP API', 'the OpenAPI document of src/contract/routes/', [
    INTRODUCTION,
    '## Access',
    'Each route belongs to a class. `server.auth: required` demands a credential for all but `own`, `off` for none.',
    table(
      ['Class', 'Credential with `server.auth: auto`'],
      Object.entries(ACCESS).map(([name, text]) => [code(name), text]),
    ),
    `Every route can also answer with these problem codes (${PROBLEM}): ${common.map(code).join(', ')}.`,
    ...groups.flatMap((group) => [
      `## /${group}`,
      ...all
        .filter(({ path }) => groupOf(path) === group)
        .flatMap(({ path, method, operation }) => routeText(path, method, operation, common)),
    ]),
    '## Shared shapes',
    ...Object.entries(components.schemas).flatMap(([name, schema]) => [
      `### ${name}`,
      membersTable(schema),
    ]),
  ]);
}
