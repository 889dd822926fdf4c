import type { Node } from 'jsonc-parser';
import Type from 'typebox';
import { Check, Default } from 'typebox/value';
import { findClosestName } from '../../../base/text/findClosestName.ts';
import { Config } from '../configSchema.ts';
import type { ConfigText } from '../file/configText.ts';
import { findEntrySchema, findItemSchema } from '../findSchemaAt.ts';
import { CHOSEN_NAME } from '../sections/fieldSchemas.ts';

const formatLimit = (schema: Type.TSchema, name: string): string =>
  String(Object.entries(schema).find(([key]) => key === name)?.[1] ?? 0);

function describeExpectation(schema: Type.TSchema): string {
  if (Type.IsInteger(schema))
    return `a whole number from ${formatLimit(schema, 'minimum')} to ${formatLimit(schema, 'maximum')}`;
  if (Type.IsNumber(schema))
    return `a number from ${formatLimit(schema, 'minimum')} to ${formatLimit(schema, 'maximum')}`;
  if (Type.IsBoolean(schema)) return 'true or false';
  if (Type.IsEnum(schema)) return `one of ${schema.enum.map((choice) => `"${choice}"`).join(', ')}`;
  if (Type.IsUnion(schema)) {
    const [value, other] = schema.anyOf;
    if (value && other && schema.anyOf.length === 2 && Type.IsNull(other))
      return `${describeExpectation(value)}, or null`;
  }
  if (Type.IsUnion(schema) && 'description' in schema) return String(schema.description);
  if (Type.IsString(schema) && 'title' in schema && 'examples' in schema)
    return `${schema.title}, such as ${Object.values(Object(schema.examples))
      .map((example) => `"${example}"`)
      .join(' or ')}`;
  if (Type.IsString(schema) && 'pattern' in schema)
    return `a text in double quotes of the form ${formatLimit(schema, 'pattern')}`;
  if (Type.IsString(schema))
    return `a text in double quotes, of ${formatLimit(schema, 'minLength')} to ${formatLimit(schema, 'maxLength')} characters`;
  if (Type.IsArray(schema)) return 'a list [ ]';
  return 'an object { }';
}

/** A place of the file that is wrong, and what is wrong with it, without any value of the file. */
export interface Mistake {
  /** Keys and list positions that lead to it. */
  path: readonly (string | number)[];
  offset: number;
  message: string;
}

const quoteClipped = (word: string): string =>
  JSON.stringify(word.length > 60 ? `${word.slice(0, 57)}...` : word);

const joinMistakePath = (path: Mistake['path']): string => path.join('.');

function describeUnknownKey(
  key: string,
  path: Mistake['path'],
  knownKeys: readonly string[],
): string {
  const closest = findClosestName(key, knownKeys);
  const hint =
    closest === null ? `Known here: ${knownKeys.join(', ')}.` : `Did you mean "${closest}"?`;
  return `Unknown key ${quoteClipped(key)}${path.length === 0 ? '' : ` in ${joinMistakePath(path)}`}. ${hint}`;
}

/** Faults of a key of an object with free names of some form, or only its own names. */
function describeKeyFault(schema: Type.TSchema, key: string, path: Mistake['path']): string {
  if (Type.IsObject(schema) && key !== '__proto__')
    return describeUnknownKey(key, path, Object.keys(schema.properties));
  const pattern = Type.IsRecord(schema) ? Type.RecordPattern(schema) : null;
  const refusal = `The key ${quoteClipped(key)} is not allowed${path.length === 0 ? '' : ` in ${joinMistakePath(path)}`}.`;
  if (key === '__proto__' || pattern === null) return refusal;
  return pattern === CHOSEN_NAME
    ? `${refusal} Use A-Z, a-z, 0-9, ".", "_" and "-", at most 100 characters, starting with a letter or digit.`
    : `${refusal} It must have the form ${pattern}.`;
}

const allowsAnyKey = (schema: Type.TSchema): boolean =>
  'additionalProperties' in schema && schema.additionalProperties === true;

/**
 * Goes through tree and schema side by side: TypeBox's own `Errors` stops at the eighth and knows
 * no places. A null schema stands for a value that nothing describes.
 */
class Inspection {
  readonly mistakes: Mistake[] = [];
  readonly warnings: string[] = [];
  readonly #text: ConfigText;

  constructor(text: ConfigText) {
    this.#text = text;
  }

  value(node: Node, schema: Type.TSchema | null, path: Mistake['path']): void {
    const branch = schema !== null && Type.IsUnion(schema) ? pickUnionBranch(schema, node) : schema;
    if (branch === null || Type.IsUnknown(branch)) {
      if (node.type === 'object') this.#entries(node, null, path);
      for (const [index, item] of node.type === 'array' ? (node.children ?? []).entries() : [])
        this.value(item, null, [...path, index]);
      return;
    }
    if (Type.IsObject(branch) || Type.IsRecord(branch)) {
      if (node.type === 'object') this.#entries(node, branch, path);
      else
        this.#mistake(
          path,
          node,
          `${joinMistakePath(path)} must be ${describeExpectation(schema ?? branch)}.`,
        );
      return;
    }
    if (Type.IsArray(branch) && node.type === 'array') {
      const items = node.children ?? [];
      const most = 'maxItems' in branch ? Number(branch.maxItems) : Number.POSITIVE_INFINITY;
      if (items.length > most)
        this.#mistake(path, node, `${joinMistakePath(path)} may have at most ${most} entries.`);
      for (const [index, item] of items.entries())
        this.value(item, findItemSchema(branch), [...path, index]);
      return;
    }
    if (node.type === 'object' || node.type === 'array' || !Check(branch, node.value))
      this.#mistake(
        path,
        node,
        `${joinMistakePath(path)} must be ${describeExpectation(schema ?? branch)}.`,
      );
  }

  #entries(node: Node, schema: Type.TSchema | null, path: Mistake['path']): void {
    const seenKeys = new Set<string>();
    const knownKeys =
      schema !== null && Type.IsObject(schema) ? Object.keys(schema.properties) : [];
    for (const property of node.children ?? []) {
      const [keyNode, valueNode] = property.children ?? [];
      if (keyNode === undefined || valueNode === undefined) continue;
      const key = String(keyNode.value);
      const here = [...path, key];
      const inner = schema === null ? null : findEntrySchema(schema, key);
      if (seenKeys.has(key))
        this.#mistake(here, keyNode, `The key ${quoteClipped(key)} is given twice. Keep one.`);
      else if (key === '__proto__' || inner === undefined) {
        if (key === '__proto__' || schema === null || !allowsAnyKey(schema))
          this.#mistake(here, keyNode, describeKeyFault(schema ?? Config, key, path));
        else {
          this.warnings.push(
            `${this.#text.formatPlace(keyNode.offset)} ${describeUnknownKey(key, path, knownKeys)} It is kept but not used.`,
          );
          this.value(valueNode, null, here);
        }
      } else this.value(valueNode, inner, here);
      seenKeys.add(key);
    }
    // If an unknown key is refused as well, that message already suggests the right name.
    const refusedKeys =
      schema !== null && allowsAnyKey(schema)
        ? []
        : [...seenKeys].filter((key) => !knownKeys.includes(key));
    const misspelt = new Set(refusedKeys.map((key) => findClosestName(key, knownKeys)));
    for (const key of schema !== null && Type.IsObject(schema) ? listRequiredKeys(schema) : []) {
      if (seenKeys.has(key) || misspelt.has(key)) continue;
      this.#mistake(
        [...path, key],
        node,
        `${joinMistakePath(path)} is missing the key "${key}". Add it.`,
      );
    }
  }

  #mistake(path: Mistake['path'], { offset }: Node, message: string): void {
    this.mistakes.push({ path, offset, message });
  }
}

/** The one branch that the value can be of; where several can be, all of them. */
const pickUnionBranch = (schema: Type.TUnion, node: Node): Type.TSchema => {
  const [branch = schema, ...others] = schema.anyOf.filter(
    (one) =>
      Type.IsObject(one) === (node.type === 'object') &&
      Type.IsArray(one) === (node.type === 'array'),
  );
  return others.length === 0 ? branch : schema;
};

const listRequiredKeys = (schema: Type.TObject): string[] =>
  (Array.isArray(schema.required) ? schema.required : []).filter(
    (key) => !('default' in (schema.properties[key] ?? {})),
  );

/**
 * All mistakes of the file at once: unknown, doubled and missing keys, values of the wrong kind.
 */
export function inspectConfig(text: ConfigText): { mistakes: Mistake[]; warnings: string[] } {
  const inspection = new Inspection(text);
  inspection.value(text.root, Config, []);
  return inspection;
}

/** Fills in the defaults. The value must have passed the check already. */
export function fillConfigDefaults(value: unknown): Config {
  const filledConfig = Default(Config, value);
  if (!Check(Config, filledConfig))
    throw new Error('the defaults of the config schema do not satisfy the schema');
  return filledConfig;
}
