import type Type from 'typebox';

/** The same schema with a text for the member that has it: for a schema that several members share. */
export const describe = <T extends Type.TSchema>(schema: T, description: string): T =>
  // Not a spread: what marks a member as optional is not enumerable.
  Object.defineProperties(Object.create(Object.getPrototypeOf(schema)), {
    ...Object.getOwnPropertyDescriptors(schema),
    description: { value: description, enumerable: true, configurable: true, writable: true },
  });
