import Type from 'typebox';

const closed = { additionalProperties: false } as const;

export const DEFAULT_JOBS = 50;
export const MAX_JOBS = 500;

const Limit = (maximum: number, preset: number) =>
  Type.Integer({
    minimum: 1,
    maximum,
    default: preset,
    description: 'Most entries of the answer.',
  });
const Offset = Type.Integer({ minimum: 0, default: 0, description: 'Entries to leave out.' });
const JobId = (description: string) => Type.String({ minLength: 1, maxLength: 128, description });

/** Query of GET /jobs. */
export const JobsQuery = Type.Object(
  {
    status: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 128,
        description: 'Only jobs with this status: all of it, or the part before a colon.',
      }),
    ),
    type: Type.Optional(
      Type.String({ minLength: 1, maxLength: 64, description: 'Only jobs of this type.' }),
    ),
    coordinates: Type.Optional(
      Type.Literal('true', {
        description: 'Only jobs whose workflow coordinates sub-runs, or that have some.',
      }),
    ),
    parentJobId: Type.Optional(JobId('Only sub-runs of this job.')),
    campaignParentId: Type.Optional(JobId('Older name of parentJobId.')),
    limit: Type.Optional(Limit(MAX_JOBS, DEFAULT_JOBS)),
    offset: Type.Optional(Offset),
  },
  closed,
);
export type JobsQuery = Type.Static<typeof JobsQuery>;

export const DEFAULT_JOURNAL_ROWS = 200;
export const MAX_JOURNAL_ROWS = 1000;

/** Query of GET /jobs/:jobId/journal. */
export const JournalQuery = Type.Object(
  {
    after: Type.Optional(
      Type.Integer({ minimum: 0, default: 0, description: 'Only rows whose seq is greater.' }),
    ),
    limit: Type.Optional(Limit(MAX_JOURNAL_ROWS, DEFAULT_JOURNAL_ROWS)),
  },
  closed,
);
export type JournalQuery = Type.Static<typeof JournalQuery>;

export const DEFAULT_MESSAGES = 100;
export const MAX_MESSAGES = 500;

/** Query of GET /jobs/:jobId/messages: pages lead from the newest messages back. */
export const MessagesQuery = Type.Object(
  {
    id: Type.Optional(
      Type.String({ minLength: 1, maxLength: 64, description: 'Only the message with this id.' }),
    ),
    limit: Type.Optional(Limit(MAX_MESSAGES, DEFAULT_MESSAGES)),
    offset: Type.Optional(Offset),
  },
  closed,
);
export type MessagesQuery = Type.Static<typeof MessagesQuery>;

/** Query of GET /jobs/:jobId/stream. */
export const StreamQuery = Type.Object(
  {
    after: Type.Optional(
      Type.Integer({ minimum: 0, description: 'Only frames after this one. Default: 0.' }),
    ),
    tail: Type.Optional(
      Type.Integer({ minimum: 0, description: 'Only so many frames of the past; 0 = none.' }),
    ),
    follow: Type.Optional(
      Type.Literal('false', {
        description: 'Ends the stream once the past is sent. Default: it continues.',
      }),
    ),
  },
  closed,
);
export type StreamQuery = Type.Static<typeof StreamQuery>;
