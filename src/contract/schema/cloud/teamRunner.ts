import Type from 'typebox';
import { closed, describe, IsoTime, nullable } from '../kit/schemaKit.ts';

const Label = Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$' });
const Labels = Type.Array(Label, { maxItems: 32 });
/** As many as a label of the configuration. */
const RunnerName = Type.String({ minLength: 1, maxLength: 100 });

/** Body of POST /teams/:teamId/pairing-codes. */
export const PairingCodeBody = Type.Object(
  {
    pool: Type.Optional(
      Type.Boolean({
        description:
          'For a runner of the pool, which belongs to no one; only admins. Default: for a machine of your own.',
      }),
    ),
    labels: Type.Optional(
      Type.Array(Label, {
        maxItems: 32,
        description: 'Labels that the machine writes into its configuration when it is paired.',
      }),
    ),
  },
  closed,
);
export type PairingCodeBody = Type.Static<typeof PairingCodeBody>;

export const PairingCode = Type.Object({
  code: Type.String({ description: 'Ten characters, good once. A hyphen in it does not count.' }),
  expiresAt: describe(IsoTime, 'When it ends.'),
  pool: Type.Boolean({ description: 'Whether it is for a runner of the pool.' }),
  labels: describe(Labels, 'Labels for the machine.'),
  command: Type.String({ description: 'The command that pairs a machine with it.' }),
});
export type PairingCode = Type.Static<typeof PairingCode>;

/** Body of POST /pair. */
export const PairBody = Type.Object(
  {
    code: Type.String({ minLength: 1, maxLength: 64, description: 'The pairing code.' }),
    name: describe(RunnerName, 'Name of the runner in the team.'),
    homeId: Type.String({
      pattern: '^[0-9A-Za-z_-]{1,64}$',
      description: 'The id of the home whose jobs it holds.',
    }),
    version: Type.Optional(Type.String({ maxLength: 64, description: 'Version of svc there.' })),
  },
  closed,
);
export type PairBody = Type.Static<typeof PairBody>;

export const PairedRunner = Type.Object({
  token: Type.String({
    description: 'The token of the runner, for cloud.token. It is shown once.',
  }),
  runnerId: Type.String({ description: 'The id of the runner.' }),
  name: Type.String({ description: 'Its name in the team.' }),
  pool: Type.Boolean({ description: 'Whether it is a runner of the pool.' }),
  labels: describe(Labels, 'Labels that were given to the code, for cloud.labels.'),
  team: Type.Object({ id: Type.String(), slug: Type.String(), name: Type.String() }),
});
export type PairedRunner = Type.Static<typeof PairedRunner>;

/** Query of GET /teams/:teamId/runners. */
export const RunnersQuery = Type.Object(
  {
    all: Type.Optional(Type.Literal('1', { description: 'Those that are not connected too.' })),
  },
  closed,
);

/** A runner of a team, as its members see it. */
export const TeamRunner = Type.Object({
  id: Type.String({ description: 'Its id.' }),
  name: Type.String({ description: 'Its name; its machine says it (cloud.name).' }),
  owner: nullable(
    Type.Object({ userId: Type.String(), name: Type.String() }),
    'Whose machine it is; null = a runner of the pool.',
  ),
  labels: Type.Array(Type.String(), { description: 'What its machine has (cloud.labels).' }),
  accept: Type.Enum(['own', 'team', 'none'], {
    description: "Whose dispatches it takes (cloud.accept): its owner's, everyone's, or none.",
  }),
  version: nullable(Type.String(), 'Version of svc; null = it was never connected.'),
  connected: Type.Boolean({ description: 'Whether it has a connection to a node.' }),
  connectedSince: nullable(IsoTime, 'Since when it is connected; null = it is not.'),
  awaySince: nullable(IsoTime, 'Since when it is away; null = it is connected, or never was.'),
  state: nullable(
    Type.Enum(['starting', 'running', 'draining', 'stopping']),
    'How its process is; null = it is not connected.',
  ),
  slots: nullable(Type.Integer(), 'How many jobs it runs at the same time.'),
  free: nullable(Type.Integer(), 'How many of its slots are free; null = it is not connected.'),
  executors: Type.Array(Type.String(), { description: 'Executors that it has.' }),
  forges: Type.Array(Type.String(), { description: 'Forges that it has.' }),
  continuedBy: Type.Optional(
    Type.String({ description: 'Name of the runner that continues its jobs; left out = its own.' }),
  ),
  createdAt: describe(IsoTime, 'When it was paired first.'),
  revokedAt: nullable(IsoTime, 'When it was revoked; null = it was not.'),
});
export type TeamRunner = Type.Static<typeof TeamRunner>;

export const TeamRunnerList = Type.Object({ runners: Type.Array(TeamRunner) });
