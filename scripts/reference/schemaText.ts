import { code } from './markdown.ts';

export interface Schema {
  $ref?: string;
  type?: string | readonly string[];
  title?: string;
  description?: string;
  default?: unknown;
  const?: unknown;
  enum?: readonly unknown[];
  anyOf?: readonly Schema[];
  pattern?: string;
  format?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  items?: Schema;
  properties?: Readonly<Record<string, Schema>>;
  patternProperties?: Readonly<Record<string, Schema>>;
  additionalProperties?: boolean | Schema;
  required?: readonly string[];
  deprecated?: boolean;
  secret?: unknown;
}

const count = (value: number): string => value.toLocaleString('en-US');
const one = (text: string): string => text.replace(/\b1 entries$/, '1 entry');

/** "1 to 64 characters", "at most 4,096 characters"; empty without a limit. */
function range(least: number | undefined, most: number | undefined, unit: string): string {
  const suffix = unit === '' ? '' : ` ${unit}`;
  if (least && most !== undefined) return `${count(least)} to ${count(most)}${suffix}`;
  if (most !== undefined)
    return least === 0 && unit === '' ? `0 to ${count(most)}` : `at most ${count(most)}${suffix}`;
  return least === undefined || (least === 0 && unit !== '')
    ? ''
    : `at least ${count(least)}${suffix}`;
}

const joinTexts = (...parts: readonly string[]): string =>
  parts.filter((part) => part !== '').join(', ');

const literal = (value: unknown): string => code(JSON.stringify(value) ?? 'undefined');

function stringText(schema: Schema): string {
  if (schema.format === 'date-time') return 'time, ISO 8601';
  const form = schema.pattern === undefined ? '' : `matching ${code(schema.pattern)}`;
  return joinTexts('text', range(schema.minLength, schema.maxLength, 'characters'), form);
}

function mapText({ patternProperties, additionalProperties }: Schema): string {
  const [values] = Object.values(patternProperties ?? {});
  const of =
    values ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined);
  return of === undefined || Object.keys(of).length === 0 ? 'object' : `map of ${typeText(of)}`;
}

/** What a value may be, in words: type and limits. Members of objects are not listed. */
export function typeText(schema: Schema): string {
  if (schema.$ref !== undefined) return code(schema.$ref.replace(/^.*\//, ''));
  if (schema.const !== undefined) return literal(schema.const);
  if (schema.enum) return schema.enum.map(literal).join(', ');
  if (schema.anyOf) return [...new Set(schema.anyOf.map(typeText))].join(' or ');
  switch (schema.type) {
    case 'string':
      return stringText(schema);
    case 'integer':
      return joinTexts('whole number', range(schema.minimum, schema.maximum, ''));
    case 'number':
      return joinTexts('number', range(schema.minimum, schema.maximum, ''));
    case 'boolean':
      return '`true` or `false`';
    case 'null':
      return '`null`';
    case 'array':
      return joinTexts(
        schema.items ? `list of ${typeText(schema.items)}` : 'list',
        one(range(schema.minItems, schema.maxItems, 'entries')),
      );
    case 'object':
      return schema.properties ? 'object' : mapText(schema);
    default:
      return 'any JSON value';
  }
}

export interface Member {
  /** Dotted; `[]` stands for an entry of a list, `<name>` for a key of a map. */
  key: string;
  schema: Schema;
  required: boolean;
}

const inner = (schema: Schema): { suffix: string; schema: Schema } | null => {
  if (schema.items) return { suffix: '[]', schema: schema.items };
  const [values] = Object.values(schema.patternProperties ?? {});
  if (values) return { suffix: '.<name>', schema: values };
  return null;
};

const objectIn = (schema: Schema): Schema | undefined =>
  schema.properties ? schema : schema.anyOf?.find((one) => one.properties ?? one.items);

/** Every member below a schema, an object's own before those of the objects in it. */
export function listMembers(schema: Schema, prefix = ''): Member[] {
  const object = objectIn(schema);
  if (!object?.properties) {
    const below = inner(object ?? schema);
    return below ? listMembers(below.schema, `${prefix}${below.suffix}`) : [];
  }
  const start = prefix === '' ? '' : `${prefix}.`;
  return Object.entries(object.properties).flatMap(([name, member]) => [
    { key: `${start}${name}`, schema: member, required: object.required?.includes(name) ?? false },
    ...listMembers(member, `${start}${name}`),
  ]);
}
