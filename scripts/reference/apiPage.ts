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

interface ApiDocument {
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  components: { schemas: Readonly<Record<string, Schema>> };
}

/** Codes that any route can answer with, which are listed once. */
function listErrorCodes(operation: Operation): string[] {
  return Object.values(operation.responses).flatMap(
    ({ description }) => /^code: (.*)$/.exec(description)?.[1]?.split(', ') ?? [],
  );
}

const PROBLEM = '`application/problem+json`';

function parametersText(parameters: readonly Parameter[]): string {
  const shownParameters = parameters.filter(({ name }) => name !== 'Idempotency-Key');
  if (shownParameters.length === 0) return '';
  const rows = shownParameters.map(({ name, in: place, required, schema }) => {
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

const formatSchema = (schema: Schema): string => {
  const text = membersTable(schema);
  return text.startsWith('|') ? `\n\n${text}` : ` ${text}`;
};

function bodyText({ requestBody }: Operation): string {
  if (!requestBody) return '';
  const [media] = Object.values(requestBody.content);
  const types = Object.keys(requestBody.content).map(code).join(' or ');
  const optional = requestBody.required ? '' : ', may be left out';
  return `Body (${types}${optional}):${formatSchema(media?.schema ?? {})}`;
}

/** What the description of a usual answer says. */
const DONE = 'Done';

function answerText({ responses }: Operation): string {
  const answers = Object.entries(responses).filter(([number]) => Number(number) < 400);
  const texts = answers.map(([status, { description, content = {} }]) => {
    const [type, media] = Object.entries(content)[0] ?? [];
    if (type === undefined || media === undefined) return `Answer: ${status} without a body.`;
    const what = description === DONE ? '' : ` ${plain(description)}`;
    return `Answer: ${status}, ${code(type)}.${what}${type === 'application/json' ? formatSchema(media.schema) : ''}`;
  });
  return texts.join('\n\n');
}

function routeText(
  path: string,
  method: string,
  operation: Operation,
  common: readonly string[],
  describeAccess: (operation: string) => string,
): string[] {
  const codes = listErrorCodes(operation).filter((name) => !common.includes(name));
  return [
    `### ${method.toUpperCase()} ${path}`,
    `${operation.deprecated ? '*Deprecated.* ' : ''}${plain(operation.summary)}`,
    describeAccess(operation.operationId),
    parametersText(operation.parameters),
    bodyText(operation),
    answerText(operation),
    codes.length === 0 ? '' : `Problem codes: ${codes.map((name) => code(name)).join(', ')}.`,
  ];
}

const getPathGroup = (path: string): string => path.split('/')[1]?.replace(/\..*$/, '') ?? '';

export interface ApiPage {
  title: string;
  /** Where the routes are written down. */
  source: string;
  document: Record<string, unknown>;
  /** Paragraphs before the routes. */
  introduction: readonly string[];
  /** A sentence about who may call an operation. */
  describeAccess(operation: string): string;
}

/** A page with every route of an OpenAPI document. */
export function renderApiPage(api: ApiPage): string {
  const { paths, components }: ApiDocument = JSON.parse(JSON.stringify(api.document));
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const [first, ...others] = all.map(({ operation }) => listErrorCodes(operation));
  const common = (first ?? []).filter((name) => others.every((codes) => codes.includes(name)));
  const groups = [...new Set(all.map(({ path }) => getPathGroup(path)))].sort();
  return page(api.title, api.source, [
    ...api.introduction,
    `Every route can also answer with these problem codes (${PROBLEM}): ${common.map(code).join(', ')}.`,
    ...groups.flatMap((group) => [
      `## /${group}`,
      ...all
        .filter(({ path }) => getPathGroup(path) === group)
        .flatMap(({ path, method, operation }) =>
          routeText(path, method, operation, common, api.describeAccess),
        ),
    ]),
    '## Shared shapes',
    ...Object.entries(components.schemas).flatMap(([name, schema]) => [
      `### ${name}`,
      membersTable(schema),
    ]),
  ]);
}
