import Type from 'typebox';

/** How many entries an answer may have at most. */
export const Limit = (maximum: number, preset: number) =>
  Type.Integer({
    minimum: 1,
    maximum,
    default: preset,
    description: 'Most entries of the answer.',
  });

/** Where an answer begins. */
export const Offset = Type.Integer({
  minimum: 0,
  default: 0,
  description: 'Entries to leave out.',
});
