import Type from 'typebox';
import { describe, IsoTime, nullable } from '../kit/schemaKit.ts';

const Lines = (description: string) => Type.Integer({ minimum: 0, description });

const ChangedFile = Type.Object({
  path: Type.String({ description: 'Its path.' }),
  added: Lines('Lines added.'),
  removed: Lines('Lines removed.'),
});

/** Reply of GET /jobs/:jobId/since-success: what a failure may come from. */
export const SinceSuccess = Type.Object({
  phase: nullable(
    Type.String(),
    'The last phase that ended without a failure; null = none has, and everything since the start of the job counts.',
  ),
  at: describe(IsoTime, 'When it ended; without one, when the job was created.'),
  visits: Type.Integer({ minimum: 0, description: 'Visits of phases that began since then.' }),
  overlay: Type.Boolean({
    description:
      'Whether the workflow, its agents, skills or memory differ from those that it ran with.',
  }),
  messages: Type.Integer({
    minimum: 0,
    description: 'Messages and comments that came since then.',
  }),
  files: nullable(
    Type.Object({
      count: Lines('How many files differ.'),
      added: Lines('Lines added in all.'),
      removed: Lines('Lines removed in all.'),
      files: Type.Array(ChangedFile, { description: 'The first of them by path; at most 20.' }),
    }),
    'How the files of the checkout differ from the newest commit before then; null = it has no checkout, or it cannot be read.',
  ),
});
export type SinceSuccess = Type.Static<typeof SinceSuccess>;
