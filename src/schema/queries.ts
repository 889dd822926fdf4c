import Type from 'typebox';

const closed = { additionalProperties: false } as const;

export const DEFAULT_JOBS = 50;
export const MAX_JOBS = 500;

/** Query of GET /jobs. `campaignParentId` is the legacy name of `parentJobId`. */
export const JobsQuery = Type.Object(
  {
    /** A whole status, or the part before `:`. */
    status: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
    type: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
    /** `true`: only jobs whose workflow coordinates sub-runs, or that have some; of whatever type. */
    coordinates: Type.Optional(Type.Literal('true')),
    parentJobId: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
    campaignParentId: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_JOBS, default: DEFAULT_JOBS })),
    offset: Type.Optional(Type.Integer({ minimum: 0, default: 0 })),
  },
  closed,
);
export type JobsQuery = Type.Static<typeof JobsQuery>;

export const DEFAULT_JOURNAL_ROWS = 200;
export const MAX_JOURNAL_ROWS = 1000;

/** Query of GET /jobs/:jobId/journal: rows whose seq is greater than `after`. */
export const JournalQuery = Type.Object(
  {
    after: Type.Optional(Type.Integer({ minimum: 0, default: 0 })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_JOURNAL_ROWS, default: DEFAULT_JOURNAL_ROWS })),
  },
  closed,
);
export type JournalQuery = Type.Static<typeof JournalQuery>;

export const DEFAULT_MESSAGES = 100;
export const MAX_MESSAGES = 500;

/** Query of GET /jobs/:jobId/messages: pages lead from the newest messages back; `id` asks for a single one. */
export const MessagesQuery = Type.Object(
  {
    id: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_MESSAGES, default: DEFAULT_MESSAGES })),
    offset: Type.Optional(Type.Integer({ minimum: 0, default: 0 })),
  },
  closed,
);
export type MessagesQuery = Type.Static<typeof MessagesQuery>;

/** Query of GET /jobs/:jobId/stream: after which frame to begin (default 0), or with how many of the past (0 = none). */
export const StreamQuery = Type.Object(
  { after: Type.Optional(Type.Integer({ minimum: 0 })), tail: Type.Optional(Type.Integer({ minimum: 0 })) },
  closed,
);
export type StreamQuery = Type.Static<typeof StreamQuery>;
