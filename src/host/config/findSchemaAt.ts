import Type from 'typebox';
import { Config } from './configSchema.ts';

/**
 * Schema of one entry of an object; undefined = the key is not known, null = it may hold anything.
 */
export function findEntrySchema(
  schema: Type.TSchema,
  key: string,
): Type.TSchema | null | undefined {
  if (Type.IsUnknown(schema)) return null;
  if (Type.IsUnion(schema)) {
    const branch = schema.anyOf.find((one) => Type.IsObject(one));
    return branch === undefined ? undefined : findEntrySchema(branch, key);
  }
  if (Type.IsRecord(schema))
    return new RegExp(Type.RecordPattern(schema)).test(key) ? Type.RecordValue(schema) : undefined;
  if (!Type.IsObject(schema)) return undefined;
  if (Object.hasOwn(schema.properties, key)) return schema.properties[key];
  const others: unknown =
    'additionalProperties' in schema ? schema.additionalProperties : undefined;
  return Type.IsSchema(others) && typeof others === 'object' ? others : undefined;
}

/** Schema of the items of a list; null = they may be anything. */
export const findItemSchema = (schema: Type.TSchema): Type.TSchema | null =>
  Type.IsArray(schema) ? schema.items : null;

/** Schema of the value at these keys; undefined = there can be none, null = it may be anything. */
export function findSchemaAt(path: readonly string[]): Type.TSchema | null | undefined {
  let here: Type.TSchema | null | undefined = Config;
  for (const key of path)
    here = here === null ? null : here === undefined ? undefined : findEntrySchema(here, key);
  return here;
}
