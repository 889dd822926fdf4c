import type { Node } from 'jsonc-parser';
import Type from 'typebox';
import { Check, Default } from 'typebox/value';
import type { FieldError } from '../lib/errors.ts';
import { Config, SECTIONS_OF_LATER_VERSIONS } from './configSchema.ts';
import { type ConfigText, configValue, invalidConfig } from './configText.ts';
import { closestName } from '../lib/closestName.ts';

const quote = (word: string): string => JSON.stringify(word.length > 60 ? `${word.slice(0, 57)}...` : word);

const limit = (schema: Type.TSchema, name: string): string =>
  String(Object.entries(schema).find(([key]) => key === name)?.[1] ?? 'any');

/** What the value must be, in words. */
function expectation(schema: Type.TSchema): string {
  if (Type.IsInteger(schema)) return `a whole number from ${limit(schema, 'minimum')} to ${limit(schema, 'maximum')}`;
  if (Type.IsBoolean(schema)) return 'true or false';
  if (Type.IsEnum(schema)) return `one of ${schema.enum.map((choice) => `"${choice}"`).join(', ')}`;
  if (Type.IsUnion(schema) && 'description' in schema) return String(schema.description);
  if (Type.IsString(schema)) return `a text in double quotes, of 1 to ${limit(schema, 'maxLength')} characters`;
  return 'an object { }';
}

function unknownKey(key: string, path: string, known: readonly string[]): string {
  if (path === '' && SECTIONS_OF_LATER_VERSIONS.includes(key))
    return `The section ${quote(key)} is not read by this version of svc yet. Take it out.`;
  const meant = closestName(key, known);
  const hint = meant === null ? `Known here: ${known.join(', ')}.` : `Did you mean "${meant}"?`;
  return `Unknown key ${quote(key)}${path === '' ? '' : ` in ${path}`}. ${hint}`;
}

/** Schema of one entry of an object, or the message that says why there is none. */
function entrySchema(schema: Type.TSchema, key: string, path: string): Type.TSchema | string {
  if (Type.IsObject(schema)) {
    const known = Object.keys(schema.properties);
    return (known.includes(key) ? schema.properties[key] : undefined) ?? unknownKey(key, path, known);
  }
  if (!Type.IsRecord(schema) || key === '__proto__') return `The key ${quote(key)} is not allowed in ${path}.`;
  const pattern = new RegExp(Type.RecordPattern(schema));
  if (!pattern.test(key))
    return `The key ${quote(key)} is not allowed in ${path}. Use letters, digits, ".", "_" and "-", at most 100, the first a letter or digit.`;
  return Type.RecordValue(schema);
}

/** Goes through tree and schema side by side: TypeBox's own `Errors` stops at the eighth and knows no places. */
function check(text: ConfigText, node: Node, schema: Type.TSchema, path: string, errors: FieldError[]): void {
  const branch = Type.IsUnion(schema)
    ? (schema.anyOf.find((one) => Type.IsObject(one) === (node.type === 'object')) ?? schema)
    : schema;
  if (node.type !== 'object' || !(Type.IsObject(branch) || Type.IsRecord(branch))) {
    if (Type.IsObject(branch) || Type.IsRecord(branch) || !Check(branch, node.value ?? null)) {
      errors.push({ pointer: text.at(node.offset), message: `${path} must be ${expectation(schema)}.` });
    }
    return;
  }
  const seen = new Set<string>();
  for (const property of node.children ?? []) {
    const [keyNode, valueNode] = property.children ?? [];
    if (keyNode === undefined || valueNode === undefined) continue;
    const key = String(keyNode.value);
    const found = seen.has(key)
      ? `The key ${quote(key)} stands here for the second time. Keep one.`
      : entrySchema(branch, key, path);
    seen.add(key);
    if (typeof found === 'string') errors.push({ pointer: text.at(keyNode.offset), message: found });
    else check(text, valueNode, found, path === '' ? key : `${path}.${key}`, errors);
  }
  const known = Type.IsObject(branch) ? Object.keys(branch.properties) : [];
  const misspelt = new Set([...seen].filter((key) => !known.includes(key)).map((key) => closestName(key, known)));
  const required = Type.IsObject(branch) && Array.isArray(branch.required) ? branch.required : [];
  for (const key of required) {
    const has = seen.has(key) || misspelt.has(key) || (Type.IsObject(branch) && 'default' in (branch.properties[key] ?? {}));
    if (!has) errors.push({ pointer: text.at(node.offset), message: `${path} lacks the key "${key}". Add it.` });
  }
}

/**
 * The config of a file's text with every default filled in. Throws SvcError `config-invalid` with all mistakes at once:
 * unknown, doubled and missing keys and values of the wrong kind, each with `<file>:<line>:<column>`.
 */
export function checkConfig(text: ConfigText): Config {
  const errors: FieldError[] = [];
  check(text, text.root, Config, '', errors);
  if (errors.length > 0) throw invalidConfig(text.file, errors);
  return withDefaults(configValue(text));
}

/** Fills in the defaults. The value must have passed the check already. */
export function withDefaults(value: unknown): Config {
  const filled = Default(Config, value);
  if (!Check(Config, filled)) throw new Error('the defaults of the config schema do not satisfy the schema');
  return filled;
}
