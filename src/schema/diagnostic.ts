import Type from 'typebox';

/** One error in a file that a person wrote: where it is, what it is, and how to fix it. */
export const Diagnostic = Type.Object({
  file: Type.String(),
  /** 1-based. */
  line: Type.Integer({ minimum: 1 }),
  /** 1-based. */
  column: Type.Integer({ minimum: 1 }),
  /** Stable, kebab-case. */
  code: Type.String(),
  severity: Type.Union([Type.Literal('error'), Type.Literal('warning')]),
  message: Type.String(),
  hint: Type.String(),
});
export type Diagnostic = Type.Static<typeof Diagnostic>;
