import Type from 'typebox';

/** One finding in a file that a person wrote: where it is, what it is, and how to fix it. */
export const Diagnostic = Type.Object({
  file: Type.String({ description: 'Path of the file.' }),
  line: Type.Integer({ minimum: 1, description: 'Line of the place, counted from 1.' }),
  column: Type.Integer({
    minimum: 1,
    description: 'Column of the place in UTF-16 units, counted from 1.',
  }),
  code: Type.String({ description: 'Stable code of the finding, in kebab-case.' }),
  severity: Type.Union([Type.Literal('error'), Type.Literal('warning'), Type.Literal('note')], {
    description:
      'error: a job cannot use the file. warning: it would probably do something else than intended. note: the file is not read.',
  }),
  message: Type.String({ description: 'What is wrong.' }),
  hint: Type.String({ description: 'How to fix it; empty = nothing to add.' }),
});
export type Diagnostic = Type.Static<typeof Diagnostic>;
