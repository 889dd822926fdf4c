import Type from 'typebox';
import { describeMembers } from '../kit/describeMembers.ts';
import { WorkItemStatus } from './workItem.ts';
import { nullable } from '../kit/nullable.ts';

/** What a person approves at a checkpoint. */
export const Approval = describeMembers(
  Type.Object({
    phase: Type.String(),
    shown: Type.String(),
    shownRequired: Type.Boolean(),
    artefactId: nullable(Type.String()),
    covers: Type.Object({
      plan: nullable(Type.Object({ artefactId: Type.String(), sha256: Type.String() })),
      workItems: Type.Array(
        Type.Object({ id: Type.String(), title: Type.String(), status: WorkItemStatus }),
      ),
      follows: Type.Object({ workflowPath: Type.String(), phase: nullable(Type.String()) }),
      subRuns: Type.Array(Type.String()),
    }),
  }),
  {
    phase: 'The phase whose checkpoint waits.',
    shown:
      'Hash (SHA-256) over everything in `covers`; goes back with the resume. Any change of what is covered is another one.',
    shownRequired:
      'True where another version was shown before at this checkpoint: a resume must then name `shown`.',
    artefactId: 'The plan; null where none was posted.',
    covers: 'What is approved.',
  },
);
export type Approval = Type.Static<typeof Approval>;
