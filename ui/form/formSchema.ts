import { capitalizeFirst } from '../../src/base/text/capitalizeFirst.ts';

/** The part of JSON Schema that forms are drawn from: what TypeBox writes, and the mark `secret`. */
export interface FormSchema {
  type?: string;
  title?: string;
  description?: string;
  default?: unknown;
  const?: unknown;
  enum?: readonly unknown[];
  anyOf?: readonly FormSchema[];
  properties?: Readonly<Record<string, FormSchema>>;
  patternProperties?: Readonly<Record<string, FormSchema>>;
  additionalProperties?: FormSchema | boolean;
  required?: readonly string[];
  items?: FormSchema;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  maxItems?: number;
  /** `true`: the value is never shown, only replaced. */
  secret?: unknown;
}

/**
 * How a value is edited. `texts`: a list of texts, one a line. `record`: entries with names of
 * their own. `json`: whatever no other form fits.
 */
export type FieldKind =
  | 'text'
  | 'secret'
  | 'number'
  | 'yes-no'
  | 'choice'
  | 'texts'
  | 'group'
  | 'record'
  | 'json';

export interface FormField {
  path: readonly string[];
  /** JSON pointer (RFC 6901) of it. */
  pointer: string;
  label: string;
  help: string;
  kind: FieldKind;
  required: boolean;
  schema: FormSchema;
  /** Of a `choice`, as text. */
  choices: readonly string[];
  /** Of a `group`. */
  members: readonly FormField[];
}

export const toFieldPointer = (path: readonly string[]): string =>
  path.map((key) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

/** Words of names that are short for something, as people write them. */
const WRITTEN: Readonly<Record<string, string>> = {
  api: 'API',
  dir: 'folder',
  id: 'ID',
  ids: 'IDs',
  llm: 'LLM',
  mb: '(MB)',
  mcp: 'MCP',
  mcps: 'MCP servers',
  ms: '(ms)',
  prs: 'pull requests',
  pr: 'pull request',
  repo: 'repository',
  repos: 'repositories',
  scm: 'forge',
  sdk: 'SDK',
  ssh: 'SSH',
  tls: 'TLS',
  url: 'URL',
  urls: 'URLs',
  usd: '(USD)',
};

/** `maxConcurrentJobs` as `Max concurrent jobs`, `minFreeDiskMb` as `Min free disk (MB)`. */
export const toFieldLabel = (name: string): string => {
  const [first = '', ...others] = name
    .replace(/([a-z0-9])([A-Z])/g, (_, a: string, b: string) => `${a} ${b.toLowerCase()}`)
    .split(' ')
    .map((word) => (Object.hasOwn(WRITTEN, word) ? (WRITTEN[word] ?? word) : word));
  return [capitalizeFirst(first), ...others].join(' ');
};

/** A title with a small letter says what a value looks like, in an error; it is no name. */
const pickFieldLabel = ({ title }: FormSchema, path: readonly string[]): string =>
  title !== undefined && /^\p{Lu}/u.test(title) ? title : toFieldLabel(path.at(-1) ?? '');

/** Schema of the entries of a map, and the form of their names; null = not a map. */
export function findFormEntrySchema(
  schema: FormSchema,
): { entry: FormSchema; names: RegExp | null } | null {
  const [pattern] = Object.entries(schema.patternProperties ?? {});
  if (pattern) return { entry: pattern[1], names: new RegExp(pattern[0]) };
  const { additionalProperties: others } = schema;
  return typeof others === 'object' ? { entry: others, names: null } : null;
}

/** Without the `null` of a value that may be missing. */
const dropNullBranch = (schema: FormSchema): FormSchema => {
  const branches = (schema.anyOf ?? []).filter(({ type }) => type !== 'null');
  const [only] = branches;
  if (schema.anyOf === undefined || branches.length !== 1 || only === undefined) return schema;
  const { anyOf: _anyOf, ...outer } = schema;
  return { ...only, ...outer };
};

const listFieldChoices = ({ enum: listedChoices, anyOf = [] }: FormSchema): readonly string[] => {
  if (listedChoices?.every((one) => typeof one === 'string')) return listedChoices as string[];
  const literals = anyOf.map((one) => one.const);
  return literals.length > 0 && literals.every((one) => typeof one === 'string') ? literals : [];
};

function classifySchema(schema: FormSchema): FieldKind {
  if (listFieldChoices(schema).length > 0) return 'choice';
  if (schema.secret === true && (schema.type ?? 'string') === 'string') return 'secret';
  if (schema.type === 'string') return 'text';
  if (schema.type === 'number' || schema.type === 'integer') return 'number';
  if (schema.type === 'boolean') return 'yes-no';
  if (schema.type === 'array' && schema.items?.type === 'string') return 'texts';
  if (schema.type !== 'object') return 'json';
  if (Object.keys(schema.properties ?? {}).length > 0) return 'group';
  return findFormEntrySchema(schema) === null ? 'json' : 'record';
}

function formatPreset(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'string') return value;
  const isListOfTexts = Array.isArray(value) && value.every((item) => typeof item === 'string');
  return isListOfTexts ? value.join(', ') : JSON.stringify(value);
}

/** What the schema says of a value, with its default where that is not empty. */
function describeField({ description = '', default: preset }: FormSchema, kind: FieldKind): string {
  const isEmpty =
    preset === undefined ||
    preset === '' ||
    (typeof preset === 'object' && Object.keys(preset ?? {}).length === 0);
  if (isEmpty || kind === 'secret' || kind === 'group') return description;
  return `${description}${description === '' ? '' : ' '}Default: ${formatPreset(preset)}.`;
}

export function buildFormField(
  formSchema: FormSchema,
  path: readonly string[],
  required = false,
): FormField {
  const schema = dropNullBranch(formSchema);
  const kind = classifySchema(schema);
  return {
    path,
    pointer: toFieldPointer(path),
    label: pickFieldLabel(schema, path),
    help: describeField(schema, kind),
    kind,
    required,
    schema,
    choices: listFieldChoices(schema),
    members:
      kind !== 'group'
        ? []
        : Object.entries(schema.properties ?? {}).map(([name, inner]) =>
            buildFormField(inner, [...path, name], schema.required?.includes(name) ?? false),
          ),
  };
}
