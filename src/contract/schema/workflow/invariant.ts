import Type from 'typebox';

const Clause = Type.Object({
  fact: Type.String(),
  since: Type.Optional(Type.String()),
  not: Type.Optional(Type.Literal(true)),
});

const named = {
  id: Type.String(),
  from: Type.Optional(
    Type.Union([
      Type.Literal('configuration'),
      Type.Literal('base'),
      Type.Literal('tenant'),
      Type.Literal('repo'),
      Type.Literal('inherited'),
    ]),
  ),
};

/** A rule about every job of a workflow, as `src/base/invariants/invariant.ts` describes it. */
export const Invariant = Type.Union([
  Type.Object({ ...named, never: Type.String(), unless: Type.Array(Type.Array(Clause)) }),
  Type.Object({ ...named, visits: Type.String(), atMost: Type.Integer({ minimum: 1 }) }),
  Type.Object({ ...named, tool: Type.String(), onlyIn: Type.Array(Type.String()) }),
]);
