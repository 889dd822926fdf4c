import Type from 'typebox';
import { closed, IsoTime, nullable } from '../kit/schemaKit.ts';
import { RETENTION_KINDS } from '../../../base/settings/retention.ts';

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

/** What goes: a kind of the settings `retention`, or what a runner that was killed has left behind. */
export const GcKind = Type.Enum([...RETENTION_KINDS, 'leftovers']);
export type GcKind = Type.Static<typeof GcKind>;

/** Something that went. */
export const RemovedFolder = Type.Object({
  kind: GcKind,
  jobId: nullable(Type.String()),
  /** Where it was: of logs state.db, of artefacts the folder of all contents. */
  path: Type.String(),
  /** Of logs: what they had in state.db. Of artefacts: of contents that nothing else names. */
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
    /**
     * Folders of jobs that ended at least so long ago, milliseconds; default: retention.checkouts. The
     * other kinds follow the settings.
     */
    olderThanMs: Type.Optional(Type.Integer({ minimum: 0, maximum: 315_360_000_000 })),
    /** `next` of an earlier reply: continues there. */
    after: Type.Optional(Type.String({ minLength: 1, maxLength: 1024 })),
  },
  closed,
);
export type GcBody = Type.Static<typeof GcBody>;

export const GcReply = Type.Object({
  dryRun: Type.Boolean(),
  /** Folders of jobs that ended later stay; null = no folder goes for its age. */
  endedBefore: nullable(IsoTime),
  removed: Type.Array(RemovedFolder),
  kept: Type.Array(KeptWork),
  left: Type.Array(LeftFolder),
  /** Folders of jobs that have not ended, or not long enough ago. */
  inUse: Type.Integer(),
  /** Bytes by which state.db is smaller. */
  freed: Type.Integer(),
  /**
   * Set if one request had no time to check everything: ask again with it as `after`. null = all
   * was checked.
   */
  next: nullable(Type.String()),
});
export type GcReply = Type.Static<typeof GcReply>;

/** What a run has done of one kind. */
const GcCount = Type.Object({ items: Type.Integer(), bytes: Type.Integer() });

/** A run of the schedule. */
export const GcRun = Type.Object({
  startedAt: IsoTime,
  endedAt: IsoTime,
  /** What went, by kind; kinds of which nothing went are left out. */
  removed: Type.Partial(Type.Record(GcKind, GcCount)),
  /** Saved work. */
  kept: Type.Integer(),
  left: Type.Array(LeftFolder),
  /** How many stayed in all: `left` names 100 at most. */
  leftCount: Type.Integer(),
  freed: Type.Integer(),
  /** Why it ended early; null = it did not. */
  problem: nullable(Type.String()),
});
export type GcRun = Type.Static<typeof GcRun>;

/** Reply of GET /gc. */
export const GcSchedule = Type.Object({
  /** Milliseconds between two runs; null = it is off. */
  everyMs: nullable(Type.Integer()),
  /** When the next one begins; null = none will. */
  nextAt: nullable(IsoTime),
  /** The newest first, 50 at most. */
  runs: Type.Array(GcRun),
});
export type GcSchedule = Type.Static<typeof GcSchedule>;
