import Type from 'typebox';

/** A line of output, without colours. */
export const OutputLine = Type.Object({
  number: Type.Integer({ description: 'Its number in the log of the job.' }),
  text: Type.String({
    description: 'The text, without known secrets and colours, at most 300 characters.',
  }),
  isError: Type.Optional(
    Type.Literal(true, {
      description:
        'The first of the last 50 lines that names an error, or else that reports one, by its words. Left out = another line.',
    }),
  ),
});
export type OutputLine = Type.Static<typeof OutputLine>;

/** What an agent wrote last before something failed. */
export const LastOutput = Type.Object({
  phase: Type.String({ description: 'The phase in which it was written.' }),
  visit: Type.Integer({ description: 'The visit of that phase.' }),
  lines: Type.Array(OutputLine, {
    description:
      'The last 5 lines of stdout, stderr and what the agent said; before them the first line that reports an error, where that is none of them. Empty = the agent wrote nothing.',
  }),
  exitCode: Type.Optional(
    Type.Integer({
      description:
        'Exit code of its program; left out = it did not exit by itself, or is not known.',
    }),
  ),
});
export type LastOutput = Type.Static<typeof LastOutput>;
