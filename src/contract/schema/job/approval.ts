import Type from 'typebox';
import { WorkItemStatus } from './workItem.ts';
import { nullable } from '../kit/schemaKit.ts';

/** What a person approves at a checkpoint. */
export const Approval = Type.Object({
  phase: Type.String({ description: 'The phase whose checkpoint waits.' }),
  shown: Type.String({
    description:
      'Hash (SHA-256) over everything in `covers`; goes back with the resume. Any change of what is covered is another one.',
  }),
  shownRequired: Type.Boolean({
    description:
      'True where another version was shown before at this checkpoint: a resume must then name `shown`.',
  }),
  artefactId: nullable(Type.String(), 'The plan; null where none was posted.'),
  covers: Type.Object(
    {
      plan: nullable(Type.Object({ artefactId: Type.String(), sha256: Type.String() })),
      workItems: Type.Array(
        Type.Object({ id: Type.String(), title: Type.String(), status: WorkItemStatus }),
      ),
      follows: Type.Object({ workflowPath: Type.String(), phase: nullable(Type.String()) }),
      subRuns: Type.Array(Type.String()),
    },
    { description: 'What is approved.' },
  ),
});
export type Approval = Type.Static<typeof Approval>;
