import Type from 'typebox';

const nullable = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

/** Work that was saved before its checkout went. */
export const KeptWork = Type.Object({
  jobId: Type.String(),
  /** Absolute path of the repository that holds it now: the mirror, or the local forge's own. */
  repository: Type.String(),
  /** `refs/svc/kept/<jobId>/<start of the commit>/<what it was>` */
  ref: Type.String(),
  commit: Type.String(),
  /** `branch x`, `tag x`, `stash`, `detached HEAD`, `staged files`, `files`. */
  what: Type.String(),
});
export type KeptWork = Type.Static<typeof KeptWork>;

/** A folder that went. */
export const RemovedFolder = Type.Object({
  jobId: nullable(Type.String()),
  path: Type.String(),
  bytes: Type.Integer(),
});
export type RemovedFolder = Type.Static<typeof RemovedFolder>;

/** Something that stays, and why: a person has to look. */
export const LeftFolder = Type.Object({
  jobId: nullable(Type.String()),
  path: Type.String(),
  reason: Type.String(),
});
export type LeftFolder = Type.Static<typeof LeftFolder>;

/** Body of POST /gc. */
export const GcBody = Type.Object(
  {
    /** Default false. True: nothing is changed, the reply says what would be. */
    dryRun: Type.Optional(Type.Boolean()),
    /** Only jobs that ended at least so long ago, milliseconds; default 14 days. */
    olderThanMs: Type.Optional(Type.Integer({ minimum: 0, maximum: 315_360_000_000 })),
    /** `next` of an earlier reply: continues there. */
    after: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
  },
  { additionalProperties: false },
);
export type GcBody = Type.Static<typeof GcBody>;

export const GcReply = Type.Object({
  dryRun: Type.Boolean(),
  /** ISO 8601: jobs that ended later are left alone. */
  endedBefore: Type.String(),
  removed: Type.Array(RemovedFolder),
  kept: Type.Array(KeptWork),
  left: Type.Array(LeftFolder),
  /** Folders of jobs that have not ended, or not long enough ago. */
  inUse: Type.Integer(),
  /**
   * Not all folders were looked at in the time of one request: ask again with it as `after`. null =
   * all were.
   */
  next: nullable(Type.String()),
});
export type GcReply = Type.Static<typeof GcReply>;
