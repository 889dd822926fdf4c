import type Type from 'typebox';

/**
 * The same object with what each of its own members means; members taken over from another object
 * keep their text. `T` is kept, with what is optional in it.
 */
export function describeMembers<T extends Type.TObject>(
  schema: T,
  meanings: { readonly [K in keyof T['properties']]?: string },
): T {
  const texts = new Map<string, unknown>(Object.entries(meanings));
  const properties = Object.entries(schema.properties).map(([key, part]) => {
    if (!texts.has(key)) return [key, part];
    // Not a spread: what marks a member as optional is not enumerable.
    const copy: object = Object.create(
      Object.getPrototypeOf(part),
      Object.getOwnPropertyDescriptors(part),
    );
    const text = { value: texts.get(key), enumerable: true, configurable: true, writable: true };
    return [key, Object.defineProperty(copy, 'description', text)];
  });
  const copy: T = Object.create(
    Object.getPrototypeOf(schema),
    Object.getOwnPropertyDescriptors(schema),
  );
  return Object.defineProperty(copy, 'properties', {
    value: Object.fromEntries(properties),
    enumerable: true,
    configurable: true,
    writable: true,
  });
}
