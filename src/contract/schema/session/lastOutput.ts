import Type from 'typebox';
import { describeMembers } from '../kit/describeMembers.ts';

/** A line of output, without colours. */
export const OutputLine = describeMembers(
  Type.Object({
    number: Type.Integer(),
    text: Type.String(),
    isError: Type.Optional(Type.Literal(true)),
  }),
  {
    number: 'Its number in the log of the job.',
    text: 'The text, without known secrets and colours, at most 300 characters.',
    isError:
      'The first of the last 50 lines that names an error, or else that reports one, by its words. Left out = another line.',
  },
);
export type OutputLine = Type.Static<typeof OutputLine>;

/** What an agent wrote last before something failed. */
export const LastOutput = describeMembers(
  Type.Object({
    phase: Type.String(),
    visit: Type.Integer(),
    lines: Type.Array(OutputLine),
  }),
  {
    phase: 'The phase in which it was written.',
    visit: 'The visit of that phase.',
    lines:
      'The last 5 lines of stdout, stderr and what the agent said; before them the first line that reports an error, where that is none of them. Empty = the agent wrote nothing.',
  },
);
export type LastOutput = Type.Static<typeof LastOutput>;
