import Type from 'typebox';

/** What was proved of one invariant of a workflow. */
export const InvariantProof = Type.Object({
  /** Id of the rule. */
  invariant: Type.String(),
  /** Where it was written if not in the workflow: a layer, or `configuration`; null = in it. */
  from: Type.Union([Type.String(), Type.Null()]),
  /** The rule, as one line. */
  rule: Type.String(),
  /**
   * `counterexample` and `prevents-completion` are errors of the workflow; `too-large`: it could not
   * be decided.
   */
  result: Type.Union([
    Type.Literal('proved'),
    Type.Literal('counterexample'),
    Type.Literal('unreachable'),
    Type.Literal('prevents-completion'),
    Type.Literal('too-large'),
  ]),
  /**
   * Why a proved rule holds: the `workflow` never leads to what it forbids, or what tries to is
   * refused by the `guard`; null where it is not proved.
   */
  by: Type.Union([Type.Literal('workflow'), Type.Literal('guard'), Type.Null()]),
  /** The shortest way to where the rule stops something, a sentence for each step; may be empty. */
  steps: Type.Array(Type.String()),
  /**
   * The states of the workflow's chart on that way, in order, from its first phase to what would
   * begin; empty = the rule stops nothing.
   */
  states: Type.Array(Type.String()),
  /** The same way for `svc workflow simulate`; null = no script can play it. */
  script: Type.Union([Type.String(), Type.Null()]),
});
export type InvariantProof = Type.Static<typeof InvariantProof>;
