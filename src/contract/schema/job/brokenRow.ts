import Type from 'typebox';
import { describeMembers } from '../kit/describeMembers.ts';

/** A stored row that cannot be read, and that was left out. */
export const BrokenRow = describeMembers(
  Type.Object({ table: Type.String(), id: Type.String(), reason: Type.String() }),
  {
    table: 'The table of state.db.',
    id: 'Its primary key; several columns are joined with `/`.',
    reason: 'Which column holds what. Texts that it holds are not named.',
  },
);
export type BrokenRow = Type.Static<typeof BrokenRow>;
