import Type from 'typebox';

/** The note of a control plane whose database svc started. */
export const TRIAL_DATABASE = 'started by svc, for trying out';

/** Whether a committed row survives the loss of the database's machine, as far as PostgreSQL tells. */
const Durability = Type.Enum(['replicated', 'single', 'unknown'], {
  description:
    'replicated: PostgreSQL waits for a synchronous standby; single: it does not; unknown: it could not be asked.',
});

export type Durability = Type.Static<typeof Durability>;

/** `GET /health` of a control plane. Its status is 503 while the database is away, or the node stops. */
export const CloudHealth = Type.Object(
  {
    version: Type.String(),
    nodeId: Type.String({ description: 'Of this process: one that starts again has another one.' }),
    status: Type.Enum(['up', 'no-database', 'stopping'], {
      description: 'Only `up` is answered with 200, so that a load balancer can go by it.',
    }),
    durability: Durability,
    database: Type.String({
      description: `"${TRIAL_DATABASE}", or "given" for one of your own.`,
    }),
    databaseReachable: Type.Boolean(),
    runnersConnected: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Runners with a connection to any node; null while the database is away.',
    }),
    uptimeMs: Type.Integer({ description: 'Since this node started, ms.' }),
  },
  { additionalProperties: false },
);

export type CloudHealth = Type.Static<typeof CloudHealth>;

/** `GET /ready` of a control plane. Its status is 503 unless `status` is `ready`. */
export const CloudReadiness = Type.Object(
  {
    nodeId: Type.String({ description: 'Of this process.' }),
    status: Type.Enum(['ready', 'no-database', 'no-lease', 'stopping'], {
      description:
        'no-lease: the node could not renew its entry in the database for 15 s, so others count its runners as lost.',
    }),
  },
  { additionalProperties: false },
);

export type CloudReadiness = Type.Static<typeof CloudReadiness>;
