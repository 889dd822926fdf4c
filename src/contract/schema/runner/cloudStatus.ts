import Type from 'typebox';
import { describe, IsoTime, nullable } from '../kit/schemaKit.ts';

/** Where the state of a paired runner is. */
export const STATE_PLACE = 'on this runner, not replicated';

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
  state: Type.Literal(STATE_PLACE, { description: 'Where the state of its jobs is.' }),
});
export type CloudStatus = Type.Static<typeof CloudStatus>;
