import Type from 'typebox';

/** A point in time as ISO 8601 text. */
export const IsoTime = Type.String({ format: 'date-time' });
