import Type from 'typebox';

const formatLimit = (schema: Type.TSchema, name: string): string =>
  String(Object.entries(schema).find(([key]) => key === name)?.[1] ?? 0);

/** What a value must be, in words. */
export function describeExpectation(schema: Type.TSchema): string {
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
