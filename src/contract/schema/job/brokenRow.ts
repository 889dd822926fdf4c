import Type from 'typebox';

/** A stored row that cannot be read, and that was left out. */
export const BrokenRow = Type.Object({
  table: Type.String({ description: 'The table of state.db.' }),
  id: Type.String({ description: 'Its primary key; several columns are joined with `/`.' }),
  reason: Type.String({
    description: 'Which column holds what. Texts that it holds are not named.',
  }),
});
export type BrokenRow = Type.Static<typeof BrokenRow>;
