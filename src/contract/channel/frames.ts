import Type from 'typebox';
import { Member } from '../schema/runner/caller.ts';
import {
  MAX_ADOPTED_HOMES,
  MAX_HOOK_BYTES,
  MAX_ENTRY_BYTES,
  MAX_HOOK_REASON_CHARS,
  MAX_NAMED_SENDERS,
  MAX_OFFERED_MANIFESTS,
  MAX_ROWS,
} from './limits.ts';

/**
 * What a runner and its control plane send each other. A frame is a JSON head and a body of bytes. Heads may have
 * members that this version does not know, so that the next one can add some.
 */
const Count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const Name = (maxLength: number) => Type.String({ minLength: 1, maxLength });
const Names = (maxItems: number, maxLength: number) => Type.Array(Name(maxLength), { maxItems });
/** Names a request on its socket. */
const RequestId = Type.String({ pattern: '^[0-9a-z]{1,32}$' });

/** How a runner is: the states of its process. */
export const RUNNER_STATES = ['starting', 'running', 'draining', 'stopping'] as const;
const RunnerState = Type.Enum([...RUNNER_STATES]);
export type RunnerState = (typeof RUNNER_STATES)[number];

/** Whose dispatches a runner takes. */
export const ACCEPTS = ['own', 'team', 'none'] as const;
export type Accept = (typeof ACCEPTS)[number];

/** Hash of a home's log at an entry. */
const EntryHash = Type.String({ pattern: '^[0-9a-f]{64}$' });

/** How far a runner's own file is in the log of its home. */
const FilePosition = Type.Object({
  /** Of the claim under which it writes. */
  generation: Count,
  n: Count,
  hash: EntryHash,
});

/** How far the control plane is in the log of a home. */
const LogHead = Type.Object({
  /** Of the newest claim. */
  generation: Count,
  head: Count,
  hash: EntryHash,
});
export type LogHead = Type.Static<typeof LogHead>;

/** Why entries of a home's log are not taken. */
export const REFUSED_ENTRIES = ['fenced', 'gap', 'malformed'] as const;
export type RefusedEntries = (typeof REFUSED_ENTRIES)[number];

/** What a runner does with a delivery. */
const HOOK_OUTCOMES = ['taken', 'refused', 'later'] as const;

/** Where a runner's list of jobs has got to; only the runner reads `mark`. */
const JobsPlace = Type.Object({
  /** The process that numbers the frames. */
  source: Name(64),
  n: Count,
  mark: Type.String({ maxLength: 2_000 }),
});
export type JobsPlace = Type.Static<typeof JobsPlace>;

const heads = {
  /** The first frame of a runner. */
  hello: Type.Object({
    program: Name(64),
    protocol: Count,
    store: Count,
    homeId: Name(64),
    /** Differs between two processes that have the same token. */
    instance: Name(64),
    name: Name(100),
    labels: Names(32, 64),
    accept: Type.Enum([...ACCEPTS]),
    slots: Count,
    free: Type.Optional(Count),
    state: RunnerState,
    executors: Names(64, 100),
    forges: Names(64, 100),
    /** SHA-256 of the slugs of the repositories that it has. */
    repositories: Names(500, 64),
    jobs: Type.Object({ source: Name(64), n: Count }),
    /** Left out = its home has no log. */
    home: Type.Optional(FilePosition),
    /** Manifests of the webhooks of its installed plugins; left out = it takes no webhooks from the control plane. */
    webhooks: Type.Optional(
      Type.Array(
        Type.Object({
          pluginId: Name(64),
          manifest: Type.Unknown(),
          /** The manifest's `challenge`, beside it: a control plane of the release before knows no manifest with one. */
          challenge: Type.Optional(Type.Unknown()),
        }),
        { maxItems: MAX_OFFERED_MANIFESTS },
      ),
    ),
    /** How many homes of lost runners it would take over at the same time; left out = none. */
    adopts: Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_ADOPTED_HOMES })),
  }),
  /** The answer to a hello. */
  welcome: Type.Object({
    session: Name(64),
    team: Type.Object({ id: Name(64), slug: Name(64), name: Name(200) }),
    runner: Type.Object({
      id: Name(64),
      name: Name(100),
      /** Whose machine it is; null = a runner of the pool. */
      ownerId: Type.Union([Name(64), Type.Null()]),
    }),
    beatMs: Count,
    lostMs: Count,
    /** Up to where the control plane has the list of jobs; null = it has nothing. */
    jobs: Type.Union([JobsPlace, Type.Null()]),
    /** Left out = the control plane has no log of the home. */
    home: Type.Optional(
      Type.Object({
        ...LogHead.properties,
        /** Silence of a runner after which another one may take its home over, ms. */
        takeoverMs: Count,
        /** Entries may bring the rows of the list that they have changed; left out = they may not. */
        takesRows: Type.Optional(Type.Literal(true)),
      }),
    ),
  }),
  /** A sign of life, answered with one of the same number. */
  beat: Type.Object({
    n: Count,
    free: Type.Optional(Count),
    slots: Type.Optional(Count),
    state: Type.Optional(RunnerState),
    /**
     * In an answer: the runner may act on the world until 0.75 takeover windows after it sent the beat. Left out = it
     * gets no more time than it has.
     */
    lease: Type.Optional(Type.Literal(true)),
  }),
  /** An HTTP request; `size` bytes of its body follow in parts. */
  request: Type.Object({
    id: RequestId,
    method: Type.String({ pattern: '^[A-Z]{1,16}$' }),
    path: Type.String({ pattern: '^/', maxLength: 16_384 }),
    headers: Type.Record(Type.String(), Type.String({ maxLength: 8_192 })),
    size: Count,
    /** The member of the team for whom it is made; null = the control plane itself. */
    person: Type.Union([Member, Type.Null()]),
    /** The reply may come in one frame; left out = a control plane that does not read such a reply. */
    takesFullReply: Type.Optional(Type.Boolean()),
  }),
  /** The head of the reply; its body follows in parts, or is in this frame. */
  response: Type.Object({
    id: RequestId,
    status: Type.Integer({ minimum: 200, maximum: 599 }),
    headers: Type.Record(Type.String(), Type.String({ maxLength: 8_192 })),
    /** The body of this frame is all of the reply's: no part follows. */
    isFull: Type.Optional(Type.Boolean()),
  }),
  /** Bytes of a request or a reply; a reply's last part has `end`. */
  part: Type.Object({ id: RequestId, end: Type.Optional(Type.Boolean()) }),
  /** The reader of a reply takes so many parts more. */
  credit: Type.Object({ id: RequestId, parts: Type.Integer({ minimum: 1, maximum: 1_024 }) }),
  /** From the control plane: the reader has left. From the runner: the rest of the reply does not come. */
  cancel: Type.Object({ id: RequestId, reason: Type.Optional(Type.String({ maxLength: 1_000 })) }),
  /** Rows of the list that have changed; the body is a JSON array of them. */
  jobs: Type.Object({
    ...JobsPlace.properties,
    /**
     * For each row, number of the home's newest entry when it was read; null = not known. Left out = of none. A row
     * that was read before another one of its job changes nothing.
     */
    readAt: Type.Optional(Type.Array(Type.Union([Count, Type.Null()]), { maxItems: MAX_ROWS })),
    /**
     * The rows are all jobs that were created between these times, which are not part of it; null = no limit.
     * What else is known there no longer exists.
     */
    range: Type.Optional(
      Type.Object({
        after: Type.Union([Type.String({ maxLength: 40 }), Type.Null()]),
        before: Type.Union([Type.String({ maxLength: 40 }), Type.Null()]),
      }),
    ),
  }),
  /** The control plane has stored the rows up to this number. */
  acknowledged: Type.Object({ source: Name(64), n: Count }),
  /** A new token for the runner; the one before stays valid until this one is used. */
  token: Type.Object({ token: Name(200) }),
  /** The team's overlay, or a proposal for it, has changed: the runner asks what is new. */
  overlay: Type.Object({ change: Count }),
  /** Reconnect in so many ms; the node ends. */
  drain: Type.Object({ delayMs: Count }),
  /**
   * An entry of the home's log, in the order of the numbers. `size` is that of its body; what the body of this frame
   * does not hold comes in `commitPart` frames before the next entry.
   */
  commit: Type.Object({
    n: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
    generation: Count,
    hash: EntryHash,
    size: Type.Integer({ minimum: 1, maximum: MAX_ENTRY_BYTES }),
    /**
     * Rows of the list for all jobs that the entry has begun or brought into another state; they count with the entry.
     * Left out = they come later, as `jobs`.
     */
    jobs: Type.Optional(Type.Array(Type.Unknown(), { maxItems: MAX_ROWS })),
  }),
  /** More of the body of the entry that was begun last; its last part has `end`. */
  commitPart: Type.Object({ n: Count, end: Type.Optional(Type.Boolean()) }),
  /** The control plane has every entry up to this one. */
  committed: Type.Object({ n: Count }),
  /**
   * The entry is not taken, and no later one on this socket. fenced: a newer claim exists. gap: the entry does not
   * follow the head. malformed: the bytes do not fit the hash.
   */
  refused: Type.Object({
    n: Count,
    reason: Type.Enum([...REFUSED_ENTRIES]),
    ...LogHead.properties,
    /** Name of the runner that has the home; left out = the runner of this socket. */
    holder: Type.Optional(Name(100)),
  }),
  /** To a runner: take over the home of one that is lost. */
  adopt: Type.Object({
    homeId: Name(64),
    /** The lost runner, as which the process that continues the home connects. */
    runnerId: Name(64),
    /** Its name. */
    name: Name(100),
    /** For that process alone. */
    token: Name(200),
    /** Version of the schema of the home's newest checkpoint. */
    storeVersion: Count,
    /** Whose machine the lost runner is; null = a runner of the pool. */
    owner: Type.Union([Type.Object({ userId: Name(64), name: Name(200) }), Type.Null()]),
  }),
  /** The answer: ok = it begins. Otherwise another runner is asked. */
  adoptAnswer: Type.Object({
    homeId: Name(64),
    ok: Type.Boolean(),
    reason: Type.Optional(Type.String({ maxLength: 1_000 })),
  }),
  /** The plugins whose webhooks the team takes: at each connection, and when that has changed. */
  senders: Type.Object({ plugins: Names(MAX_NAMED_SENDERS, 64) }),
  /**
   * A delivery of a sender to the team, which the control plane has verified. `size` is that of its body; what the body
   * of this frame does not hold comes in `hookPart` frames.
   */
  hook: Type.Object({
    /** Its number; deliveries come in this order, except those that are sent again. */
    n: Count,
    /** Left out = the delivery itself. Otherwise the runner may now create the job of this rule for it. */
    rule: Type.Optional(Name(200)),
    pluginId: Name(64),
    headers: Type.Record(Type.String(), Type.String()),
    /** When the control plane received it, epoch ms. */
    receivedAt: Count,
    size: Type.Integer({ minimum: 0, maximum: MAX_HOOK_BYTES }),
  }),
  /** More of the body of the delivery that was begun last. */
  hookPart: Type.Object({ n: Count }),
  /** The runner has committed the delivery, or does not take it. */
  hookAck: Type.Object({
    n: Count,
    rule: Type.Optional(Name(200)),
    /** taken: committed, also as a copy. refused: it is not sent again. later: it is. */
    outcome: Type.Enum([...HOOK_OUTCOMES]),
    /** The job that a rule has created for it. */
    jobId: Type.Optional(Name(128)),
    /** Why it is refused or sent again, or why a rule has created no job. */
    reason: Type.Optional(Type.String({ maxLength: MAX_HOOK_REASON_CHARS })),
  }),
  /** A runner's rule asks whether it may create the job of a delivery. */
  claim: Type.Object({
    /** Names the question on its socket. */
    id: RequestId,
    rule: Name(200),
    pluginId: Name(64),
    /** `sha256:` and the hex of the delivery's bytes. */
    hash: Type.String({ pattern: '^sha256:[0-9a-f]{64}$' }),
    /** What the job is about, where the rule makes one job at a time about it; null = it makes one for each delivery. */
    subject: Type.Union([Name(500), Type.Null()]),
  }),
  /** The answer; `granted` is null where the control plane cannot say now. */
  claimAnswer: Type.Object({
    id: RequestId,
    granted: Type.Union([Type.Boolean(), Type.Null()]),
    reason: Type.Optional(Type.String()),
  }),
};

export const FRAME_HEADS = heads;
export type FrameType = keyof typeof heads;
type HeadOf<Name extends FrameType> = Type.Static<(typeof heads)[Name]>;

/** A frame as it is sent; `body` is optional. */
export type Frame<Name extends FrameType = FrameType> = {
  [Kind in Name]: { type: Kind; body?: Uint8Array } & HeadOf<Kind>;
}[Name];

/** A frame as it was received; a missing body is empty. */
export type ReceivedFrame<Name extends FrameType = FrameType> = Frame<Name> & { body: Uint8Array };

export const isFrameType = (text: unknown): text is FrameType =>
  typeof text === 'string' && Object.hasOwn(heads, text);
