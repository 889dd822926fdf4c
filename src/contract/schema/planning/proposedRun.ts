import Type from 'typebox';
import { describe } from '../kit/schemaKit.ts';

/** Why a member of a run was taken out; `describeRemovedMember` says it in words. */
export const RemovalReason = Type.Enum([
  'only-a-person',
  'not-a-field',
  'unknown-workflow',
  'broken-workflow',
  'unknown-repository',
  'unusable-value',
]);
export type RemovalReason = Type.Static<typeof RemovalReason>;

/** One member that was taken out of what the model wrote. */
export const RemovedMember = Type.Object({
  name: Type.String({ description: 'Of the param, or `workflowPath`.' }),
  reason: describe(
    RemovalReason,
    '`only-a-person`: only a person sets it. `not-a-field`: a run has no such field that a model fills in. `unknown-workflow`, `unknown-repository`: it names none that this conversation was given or the runner has. `broken-workflow`: the workflow has errors. `unusable-value`: it is empty, too long or of another type.',
  ),
  value: Type.Union([Type.String(), Type.Null()], {
    description: 'What the model wrote for a workflow or a repository; null for everything else.',
  }),
});
export type RemovedMember = Type.Static<typeof RemovedMember>;

/** A run as the model proposes it: what a person is shown in the form, and may change. */
export const ProposedRun = Type.Object({
  workflowPath: Type.Union([Type.String(), Type.Null()], {
    description:
      'One of the workflows that can be run; null: the model names none, or one that was removed (see `removed`).',
  }),
  params: Type.Record(Type.String(), Type.Union([Type.String(), Type.Array(Type.String())]), {
    description: "Values of the form's fields.",
  }),
  removed: Type.Array(RemovedMember, {
    description: 'Values of the model that were removed, and why, by name.',
  }),
  repaired: Type.Boolean({
    description: 'The block of the model was not valid JSON: these values were repaired.',
  }),
  unreadable: Type.Boolean({
    description: 'A later block could not be read, and changed nothing.',
  }),
});
export type ProposedRun = Type.Static<typeof ProposedRun>;
