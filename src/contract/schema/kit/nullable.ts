import Type from 'typebox';

/** A schema whose value may be null. */
export const nullable = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
