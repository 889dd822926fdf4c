import Type from 'typebox';

/** A schema whose value may be null. */
export const nullable = <T extends Type.TSchema>(schema: T, description?: string) =>
  Type.Union([schema, Type.Null()], description === undefined ? {} : { description });

/** Options of an object schema: members that it does not name are refused. */
export const closed = { additionalProperties: false } as const;

/** A point in time as ISO 8601 text. */
export const IsoTime = Type.String({ format: 'date-time' });

/** The same schema with a text for the member that has it: for a schema that several members share. */
export const describe = <T extends Type.TSchema>(schema: T, description: string): T =>
  // Not a spread: what marks a member as optional is not enumerable.
  Object.defineProperties(Object.create(Object.getPrototypeOf(schema)), {
    ...Object.getOwnPropertyDescriptors(schema),
    description: { value: description, enumerable: true, configurable: true, writable: true },
  });
