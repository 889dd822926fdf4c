import Type from 'typebox';
import { describe, IsoTime, nullable } from '../kit/schemaKit.ts';

/** From then on a control plane that does not answer counts as away, ms. */
export const AWAY_AFTER_MS = 10_000;

/**
 * Where the state of a paired runner is.
 *
 * - `runner`: on this machine alone; the control plane has no log of the home.
 * - `seeding`: the control plane gets its first copy.
 * - `replicated`: the control plane has everything that was answered.
 * - `waiting`: what was done since `since` waits, because the control plane does not answer.
 */
export const STATE_PLACES = ['runner', 'seeding', 'replicated', 'waiting'] as const;

/** Another runner of the team that continues the jobs of this home. */
export const JobsHolder = Type.Object({
  name: Type.String({ description: 'Name of the runner.' }),
  since: describe(IsoTime, 'Since when this is known here.'),
});
export type JobsHolder = Type.Static<typeof JobsHolder>;

/** A job of a lost runner that this one continues. */
export const AdoptedJob = Type.Object({
  id: Type.String(),
  title: Type.String({ description: 'Its title, or its id where it has none.' }),
  status: Type.String({ description: 'As in the list of jobs.' }),
});
export type AdoptedJob = Type.Static<typeof AdoptedJob>;

/** The home of a lost runner that this one continues in a process of its own. */
export const AdoptedHome = Type.Object({
  homeId: Type.String({ description: 'The id of the home.' }),
  runner: Type.Object({ id: Type.String(), name: Type.String() }, { description: 'The lost one.' }),
  since: describe(IsoTime, 'Since when.'),
  url: nullable(Type.String(), 'Where its jobs can be seen; null = it is only starting.'),
  jobs: Type.Array(AdoptedJob, { description: 'Its jobs that are not over.' }),
});
export type AdoptedHome = Type.Static<typeof AdoptedHome>;

/** How a runner is connected to the control plane of its team. */
export const CloudStatus = Type.Object({
  url: Type.String({ description: 'Address of the control plane.' }),
  connection: Type.Enum(['connecting', 'connected', 'replaced', 'refused'], {
    description:
      'connecting: it is tried again and again. replaced: another process uses the token; nothing is tried again. refused: the token or the version is not accepted; it is tried again every few minutes.',
  }),
  since: describe(IsoTime, 'Since when.'),
  problem: nullable(Type.String(), 'Why it is not connected; null = it is, or has not been tried.'),
  team: nullable(
    Type.Object({ id: Type.String(), slug: Type.String(), name: Type.String() }),
    'The team; null = it is not known yet.',
  ),
  runner: nullable(
    Type.Object({ id: Type.String(), name: Type.String() }),
    'This runner as the team knows it; null = it is not known yet.',
  ),
  adopted: Type.Optional(
    Type.Array(AdoptedHome, {
      description: 'Homes of lost runners that this one continues; left out = none.',
    }),
  ),
  state: Type.Object(
    {
      place: Type.Enum([...STATE_PLACES], {
        description:
          'runner: on this machine alone. seeding: the control plane gets its first copy. replicated: the control plane has everything that was answered. waiting: the control plane does not answer.',
      }),
      changes: Type.Integer({
        minimum: 0,
        description: 'How many changes wait until the control plane has them.',
      }),
      since: nullable(IsoTime, 'Since when the control plane has not answered; null = it does.'),
    },
    { description: 'Where the state of its jobs is.' },
  ),
});
export type CloudStatus = Type.Static<typeof CloudStatus>;
