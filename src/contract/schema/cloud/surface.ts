import Type from 'typebox';
import { TeamRole } from './teamRole.ts';

/** Who answers a request of a team. */
export const ASKED_RUNNERS = ['list', 'of-job', 'any', 'named'] as const;
export type AskedRunner = (typeof ASKED_RUNNERS)[number];

/** Reply of GET /teams/:teamId/surface. */
export const Surface = Type.Object({
  role: TeamRole,
  operations: Type.Array(
    Type.Object({
      name: Type.String({ description: "Name of the operation in the runner's API." }),
      method: Type.String(),
      path: Type.String({ description: 'Path below the team.' }),
      role: TeamRole,
      allowed: Type.Boolean({ description: 'Whether the role of the caller is high enough.' }),
      runner: Type.Enum([...ASKED_RUNNERS], {
        description:
          'Who answers. list: the control plane. of-job: the runner of the job. any: a connected runner, which X-Svc-Runner names. named: the one that ?runner= names, which is needed where the team has several.',
      }),
    }),
    { description: "What of the runner's API the team has." },
  ),
});
export type Surface = Type.Static<typeof Surface>;
