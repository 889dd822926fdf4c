import Type from 'typebox';
import { described } from './described.ts';

/** A run as the model proposes it: what a person is shown in the form, and may change. */
export const ProposedRun = described(
  Type.Object({
    workflowPath: Type.Union([Type.String(), Type.Null()]),
    params: Type.Record(Type.String(), Type.Union([Type.String(), Type.Array(Type.String())])),
    removed: Type.Array(Type.String()),
    repaired: Type.Boolean(),
    unreadable: Type.Boolean(),
  }),
  {
    workflowPath: 'One of the list; null: the model names none, or one that is not in it.',
    params: "Values of the form's fields.",
    removed: 'Names of what was taken out of what the model wrote, because only a person sets it.',
    repaired: 'The block of the model was not valid JSON: these values were repaired.',
    unreadable: 'A later block could not be read, and changed nothing.',
  },
);
export type ProposedRun = Type.Static<typeof ProposedRun>;
