import Type from 'typebox';
import { closed, describe, IsoTime, nullable } from '../kit/schemaKit.ts';
import { RunnerOfJob } from './teamJob.ts';

const Count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const Hash = Type.String({ pattern: '^[0-9a-f]{64}$' });
const Sha256 = Type.String({ pattern: '^[0-9a-f]{64}$' });

/** Largest part of a checkpoint, bytes; all but the last have it. */
export const CHECKPOINT_PART_BYTES = 1024 * 1024;
/** Most parts of a checkpoint. */
export const MAX_CHECKPOINT_PARTS = 16 * 1024;
/** Largest artefact, or file of archived logs, bytes. */
export const MAX_BLOB_BYTES = 1024 * 1024 * 1024;
/** A larger one comes in parts of this size, bytes: a slow line needs seconds for each, and a broken one repeats it alone. */
export const BLOB_PART_BYTES = 1024 * 1024;
/** Largest one that is taken in one piece, bytes. */
export const MAX_WHOLE_BLOB_BYTES = 25 * 1024 * 1024;
/** Most artefacts of one reply that lists them. */
export const MAX_HELD_BLOBS = 100;
/** Header of a part with its SHA-256, lower-case hex. */
export const PART_SHA_HEADER = 'X-Svc-Sha256';
/** Most entries of one reply, and its bytes; an entry that is larger comes alone. */
export const MAX_ENTRIES = 1_000;
export const MAX_ENTRIES_BYTES = 16 * 1024 * 1024;

/** What happens with the home of a runner that is lost. */
export const TAKEOVER_POLICIES = ['auto', 'parked', 'never'] as const;
export const TakeoverPolicy = Type.Enum([...TAKEOVER_POLICIES], {
  description:
    'auto: another runner continues it. parked: only while none of its jobs is in a session, or when a person asks for it. never: its jobs wait until it is back.',
});
export type TakeoverPolicy = Type.Static<typeof TakeoverPolicy>;

/**
 * - `seeding`: its first checkpoint is not complete. No other runner can continue it yet.
 * - `open`: its runner writes it.
 * - `released`: given up on purpose; another runner may continue it at once.
 * - `adopted`: another runner continues it.
 */
export const HOME_STATES = ['seeding', 'open', 'released', 'adopted'] as const;
const HomeLogState = Type.Enum([...HOME_STATES]);
export type HomeLogState = (typeof HOME_STATES)[number];

/** Another runner that continues a home. */
export const HomeHolder = Type.Object({
  runner: Type.String({ description: 'Its id.' }),
  name: Type.String({ description: 'Its name.' }),
  since: nullable(IsoTime, 'Since when.'),
});
export type HomeHolder = Type.Static<typeof HomeHolder>;

export const HeldBlobsQuery = Type.Object(
  {
    after: Type.Optional(
      describe(Sha256, 'Only those that come later in the order of their names.'),
    ),
  },
  closed,
);
export type HeldBlobsQuery = Type.Static<typeof HeldBlobsQuery>;

/** Artefacts that have been there for a day: no upload of them is on its way to a commit. */
export const HeldBlobs = Type.Object({
  blobs: Type.Array(Sha256, { description: 'Their names, in order; fewer than 100 are the last.' }),
});

/** A copy of the state at an entry. */
export const HomeCheckpoint = Type.Object({
  n: describe(Count, 'The entry that it is a copy at.'),
  hash: describe(Hash, 'Hash of the log there.'),
  bytes: describe(Count, 'Size of the compressed copy.'),
  sha256: describe(Sha256, 'Of the compressed copy.'),
  storeVersion: describe(Count, 'Version of its schema.'),
  parts: describe(Count, 'Number of its parts.'),
});
export type HomeCheckpoint = Type.Static<typeof HomeCheckpoint>;

/** Reply of GET /runner/home. */
export const HomeState = Type.Object({
  homeId: Type.String({ description: 'The id of the home whose log this is.' }),
  runnerId: Type.String({ description: 'The runner whose home it is.' }),
  generation: describe(Count, 'Of the newest claim.'),
  head: describe(Count, 'Number of the newest entry.'),
  hash: describe(Hash, 'Hash of the log there.'),
  entriesAfter: describe(Count, 'Entries up to this one are no longer kept.'),
  storeVersion: describe(Count, 'Version of the schema that the entries are for.'),
  state: HomeLogState,
  policy: TakeoverPolicy,
  takeoverMs: describe(Count, 'Silence after which another runner may take the home over, ms.'),
  checkpoint: nullable(HomeCheckpoint, 'The newest one that is complete; null = none is.'),
  holder: nullable(HomeHolder, 'The runner that continues the home; null = its own.'),
  leaseUntil: nullable(
    IsoTime,
    'Until when a runner that is not heard of may still act; null = none may, or one is connected.',
  ),
});
export type HomeState = Type.Static<typeof HomeState>;

/** Where a log begins, and the generation that the next claim comes after. */
const LogBegin = {
  n: describe(Count, 'The entry after which the log begins; 0 = at an empty store.'),
  hash: describe(Hash, 'Hash of the log there; 64 zeros at 0.'),
  generation: describe(Count, 'Generation of the store. The next claim gets a higher one.'),
  storeVersion: describe(Count, 'Version of the schema of the store.'),
};

/** Body of POST /runner/home. */
export const CreateHomeBody = Type.Object(
  {
    ...LogBegin,
    homeId: Type.String({ pattern: '^[0-9A-Za-z_-]{1,64}$', description: 'The id of the home.' }),
  },
  closed,
);
export type CreateHomeBody = Type.Static<typeof CreateHomeBody>;

/** Body of POST /runner/home/reseed. */
export const ReseedBody = Type.Object(
  {
    ...LogBegin,
    reason: Type.String({ minLength: 1, maxLength: 1_000, description: 'Why, for the log.' }),
  },
  closed,
);
export type ReseedBody = Type.Static<typeof ReseedBody>;

/** Query of GET /runner/home/entries. */
export const EntriesQuery = Type.Object(
  {
    after: describe(Count, 'The entry after which to begin.'),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: MAX_ENTRIES, description: 'Most entries.' }),
    ),
  },
  closed,
);

/** Body of POST /runner/home/claim. */
export const ClaimBody = Type.Object(
  {
    generation: describe(Count, 'The newest generation, as GET /runner/home says it.'),
    head: describe(Count, 'The newest entry, which the store has.'),
    hash: describe(Hash, 'Hash of the log there.'),
    storeVersion: describe(Count, 'Newest version of the schema that this program knows.'),
    program: Type.String({ minLength: 1, maxLength: 64, description: 'Version of svc.' }),
    instance: Type.String({
      minLength: 1,
      maxLength: 64,
      description:
        'Differs between two processes. The same claim sent again by one process is answered as the first time.',
    }),
    file: nullable(
      Type.Object({ generation: Count, n: Count, hash: Hash }, closed),
      'Where the file was that the runner found on its disk, before it took entries; null = it found none. A file of the newest generation shows that no other process has the home: the claim then does not wait for the lease.',
    ),
  },
  closed,
);
export type ClaimBody = Type.Static<typeof ClaimBody>;

export const ClaimedHome = Type.Object({
  generation: describe(Count, 'Generation of this claim.'),
  takeoverMs: describe(Count, 'Silence after which another runner may take the home over, ms.'),
});
export type ClaimedHome = Type.Static<typeof ClaimedHome>;

/** Reply of GET /runner/home/checkpoints/:entry/parts. */
export const CheckpointParts = Type.Object({
  parts: Type.Array(
    Type.Object({
      part: describe(Count, 'Its number, from 0.'),
      sha256: describe(Sha256, 'Of its bytes.'),
      bytes: describe(Count, 'Its size.'),
    }),
    { description: 'Parts that have been uploaded.' },
  ),
});

/** Body of POST /runner/home/checkpoints/:entry. */
export const CheckpointBody = Type.Object(
  {
    sha256: describe(Sha256, 'Of the whole compressed copy.'),
    bytes: describe(Count, 'Its size.'),
    parts: Type.Integer({ minimum: 1, maximum: MAX_CHECKPOINT_PARTS }),
    hash: describe(Hash, 'Hash of the log at this entry.'),
    storeVersion: describe(Count, 'Version of the schema of the copy.'),
  },
  closed,
);
export type CheckpointBody = Type.Static<typeof CheckpointBody>;

/** Body of POST /runner/home/release: the log ends here. */
export const ReleaseBody = Type.Object(
  {
    generation: describe(Count, 'Of the claim under which this process writes.'),
    n: describe(Count, 'The newest entry.'),
    hash: describe(Hash, 'Hash of the log there.'),
  },
  closed,
);
export type ReleaseBody = Type.Static<typeof ReleaseBody>;

/** Body of POST /runner/home/diverged. */
export const DivergedBody = Type.Object(
  { n: describe(Count, 'The newest entry that the machine has.') },
  closed,
);
export type DivergedBody = Type.Static<typeof DivergedBody>;

/** Body of PATCH /teams/:teamId/runners/:runnerId. */
export const ChangeRunnerBody = Type.Object({ policy: TakeoverPolicy }, closed);

/** A job that is not over, in the home of a runner. */
const HomeJob = Type.Object({
  id: Type.String(),
  title: Type.String(),
  isInSession: Type.Boolean({
    description:
      'An agent was at work: what it had not committed is lost, and its conversation begins again.',
  }),
});

/** The home of a runner, as the members of its team see it. */
export const TeamHome = Type.Object({
  runner: describe(RunnerOfJob, 'The runner whose home it is.'),
  homeId: Type.String({ description: 'The id of the home.' }),
  state: HomeLogState,
  policy: TakeoverPolicy,
  head: describe(Count, 'Number of the newest entry.'),
  committedAt: nullable(IsoTime, 'When the newest entry came; null = none has come.'),
  checkpoint: nullable(HomeCheckpoint, 'The newest one that is complete; null = none is.'),
  continuedBy: nullable(HomeHolder, 'The runner that continues it; null = none does.'),
  wait: nullable(
    Type.String(),
    'Why no other runner continues it: connected, no-jobs, seeding, ahead, restored, never, in-session, lease, starting, no-runner, not-accepted, runner-too-old, no-slot, refused, asked; null = one does.',
  ),
  takeoverAt: nullable(
    IsoTime,
    'From when on another runner may; null = not while it is connected.',
  ),
  jobs: Type.Array(HomeJob, { description: 'Its jobs that are not over.' }),
});
export type TeamHome = Type.Static<typeof TeamHome>;

export const TeamHomeList = Type.Object({ homes: Type.Array(TeamHome) });
