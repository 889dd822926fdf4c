import { SvcError } from '../../../base/errors/errors.ts';
import { sleep } from '../../../base/time/waiting.ts';
import type { Clock } from '../../../base/time/clock.ts';
import type { Ids } from '../../../base/system/ids/ids.ts';
import { CHAIN_START } from '../../../base/system/homes/chainEntryHash.ts';
import type { HomeClient } from '../../../cloudLink/homes/homeClient.ts';
import type { Patience } from '../../../cloudLink/homes/runnerRequests.ts';
import type { HomeState } from '../../../contract/schema/cloud/home.ts';
import type { LogEntry, LogPosition } from '../../../kernel/sqlite/log/homeLog.ts';
import { Database } from '../../../kernel/sqlite/database.ts';
import { renewOutgoing } from '../../../kernel/sqlite/log/compareWithHead.ts';
import { moveStateAside, pruneStatesAside } from '../../../kernel/sqlite/pair/moveStateAside.ts';
import { findFileDoubt } from './findFileDoubt.ts';
import { buildEmpty, buildFromCheckpoint, placeState } from './buildState.ts';
import { createDivergedError, readDivergedState } from './divergedState.ts';
import { putDiverged, reportDiverged } from './putDiverged.ts';
import { type FileStanding, readFileStanding } from '../../../kernel/sqlite/log/fileStanding.ts';
import { mayBeOvertaken, planForMismatch, planStart, type StartPlan } from './planStart.ts';
import { OtherHistory, replayLog } from './replayLog.ts';

/** The first entry of a log that was begun for a home with jobs. */
const FIRST_ENTRY = 2;
/** Claims that were overtaken by another one before the start gives up. */
const MOST_ATTEMPTS = 10;
/** Takeover windows, and ms at least, that a start waits: a lost process counts as connected for one, and may act for one. */
const MOST_WINDOWS = 3;
const LEAST_WAIT_MS = 60_000;

export interface ClaimParts {
  client: HomeClient;
  patience: Patience;
  /** Folder of the home. */
  home: string;
  stateDb: string;
  /** Of this home; null = it has no id yet. */
  homeId: string | null;
  /** Version of this program. */
  program: string;
  /** Of this process. */
  instance: string;
  /** Of this program: what it can read. */
  migrations: readonly string[];
  clock: Clock;
  ids: Ids;
  /**
   * Another machine has worked on the state that is about to be taken: called before any of it is on this disk. `file`:
   * what this disk has of it; null = nothing.
   */
  onArrival(file: FileStanding | null): Promise<void>;
  log: {
    info(facts: object, text: string): void;
    warn(facts: object, text: string): void;
  };
}

/** A claimed home: its file has everything that the control plane has. */
export interface ClaimedState {
  generation: number;
  takeoverMs: number;
  /** Of the file. */
  position: LogPosition;
  /** Of the control plane. */
  acknowledged: LogPosition;
  /** Entries between them, to be sent. */
  outgoing: readonly LogEntry[];
  /** Version of the schema that the log is for; the file may have a newer one. */
  storeVersion: number;
  homeId: string;
  /** The control plane has a complete checkpoint. */
  hasCheckpoint: boolean;
}

/** `isNew`: the control plane has no log of the home; whether this disk has no state of it either. */
export type FoundHome = { claimed: ClaimedState } | { isNew: boolean };

/**
 * Takes what the control plane has of the home, whatever the disk has, and claims it: the one way in which a runner of
 * a team starts after a restart, on an empty disk, in another place, or in the place of a lost one. Nothing on the disk
 * is written before it is known what counts. Throws SvcError `home-claimed`, `lease-running`, `conflict` and
 * `store-failed`.
 */
export async function claimHome(parts: ClaimParts): Promise<FoundHome> {
  const { client, patience, home, stateDb } = parts;
  const divergence = readDivergedState(home);
  if (divergence !== null) {
    await reportDiverged(parts, divergence.n);
    throw createDivergedError(divergence);
  }
  let first: FileStanding | null | undefined;
  const beganAt = parts.clock.now();
  for (let overtaken = 0; overtaken < MOST_ATTEMPTS; ) {
    const state = await client.readState(patience);
    const file = readUsableFile(parts, state !== null);
    // What was found on the disk, not what an earlier attempt has built there, says whether another process may have the home.
    if (first === undefined) first = file;
    if (state === null) {
      await refuseLostLog(parts, file);
      return { isNew: file === null };
    }
    refuseOther(parts, state);
    if (state.state === 'seeding') {
      refuseUnseeded(file);
      return { isNew: false };
    }
    if (isUnused(first, state)) return { isNew: false };
    // What an earlier attempt has built of a log without entries is complete.
    if (!isUnused(file, state)) await bringUp(parts, file, state);
    const now = readFileStanding(stateDb);
    if (now === null) throw new Error('The state was not built.');
    const waitUntil = beganAt + Math.max(MOST_WINDOWS * state.takeoverMs, LEAST_WAIT_MS);
    const claim = await tryClaim(parts, state, { first, waitUntil });
    if (claim === 'overtaken') overtaken += 1;
    else if (claim !== 'waited') return { claimed: finishClaim(parts, state, claim) };
  }
  throw new SvcError('home-claimed', 'Another process claims this home again and again.');
}

/** The file on the disk; one that cannot be used is moved away where the control plane has another one. */
function readUsableFile({ stateDb, log }: ClaimParts, hasLog: boolean): FileStanding | null {
  const doubt = findFileDoubt(stateDb);
  if (doubt === null) return readFileStanding(stateDb);
  if (!hasLog) throw new SvcError('store-failed', `${doubt.detail}. ${doubt.fix}`);
  const aside = moveStateAside(stateDb, 'doubtful');
  if (aside !== null) {
    log.warn(
      { aside },
      `${doubt.detail}. The control plane has everything that was acknowledged: the state is built again from there, and the file was put aside`,
    );
    pruneStatesAside(stateDb, 'doubtful');
  }
  return null;
}

/** The control plane was restored to a time before the log, or is another one. */
async function refuseLostLog(parts: ClaimParts, file: FileStanding | null): Promise<void> {
  if (file?.position == null || !hasAcknowledged(file)) return;
  await putDiverged(parts, file, 0, 'the control plane has no log of this home any more');
}

/** Whether an entry may have been acknowledged: those that were not are all still in the file. */
const hasAcknowledged = ({ position, outgoing }: FileStanding): boolean =>
  (outgoing[0]?.n ?? (position?.n ?? 0) + 1) > FIRST_ENTRY;

function refuseUnseeded(file: FileStanding | null): void {
  if (file !== null) return;
  throw new SvcError(
    'store-failed',
    'The state of this home is not on this machine, and the control plane never got a complete copy of it: its upload had only begun. Put state.db back, or choose another home.',
  );
}

/** A log that was begun for a state that was never used with it. */
const isUnused = (file: FileStanding | null, { head, hash }: HomeState): boolean =>
  file !== null && file.position === null && head === 0 && hash === CHAIN_START;

function refuseOther({ homeId, migrations, program }: ClaimParts, state: HomeState): void {
  if (homeId !== null && homeId !== state.homeId)
    throw new SvcError(
      'store-failed',
      `The token of this home belongs to another home (${state.homeId}): this one is a copy or was restored. Pair it as a machine of its own with svc login.`,
    );
  if (state.storeVersion > migrations.length)
    throw new SvcError(
      'conflict',
      `A newer svc wrote the log of this home: its state has version ${state.storeVersion}, and svc ${program} reads up to ${migrations.length}. Start the newer svc.`,
      { data: { storeVersion: state.storeVersion, known: migrations.length } },
    );
}

/** Makes the file one that has everything up to the control plane's head. */
async function bringUp(
  parts: ClaimParts,
  file: FileStanding | null,
  state: HomeState,
): Promise<void> {
  let plan: StartPlan = planStart(file, state);
  if (plan.act === 'follow' && file?.position) {
    if (file.generation < state.generation) await parts.onArrival(file);
    try {
      await follow(parts, file.position, state);
      return;
    } catch (error) {
      if (!(error instanceof OtherHistory)) throw error;
      plan = planForMismatch(file, state);
    }
  }
  const { stateDb, log } = parts;
  const n = file?.position?.n ?? 0;
  switch (plan.act) {
    case 'keep':
    case 'follow':
      return;
    case 'diverged':
      await putDiverged(parts, file, state.head, plan.detail);
      return;
    case 'overtaken': {
      await parts.onArrival(file);
      const builtState = await build(parts, state);
      const aside = moveStateAside(stateDb, `diverged-${n}`);
      await placeState(builtState.path, stateDb);
      log.warn(
        { aside, n, head: state.head },
        'another runner has continued this home: the last changes on this machine were never acknowledged to anyone, and were put aside',
      );
      await follow(parts, builtState.position, state);
      return;
    }
    case 'rebuild': {
      if (state.head > 0) await parts.onArrival(file);
      const builtState = await build(parts, state);
      moveStateAside(stateDb, plan.isWorthKeeping ? `older-${n}` : 'lost');
      pruneStatesAside(stateDb, 'older-');
      await placeState(builtState.path, stateDb);
      await follow(parts, builtState.position, state);
    }
  }
}

async function build(
  { client, patience, stateDb, migrations, log }: ClaimParts,
  { checkpoint, storeVersion, head, entriesAfter }: HomeState,
): Promise<{ path: string; position: LogPosition }> {
  if (checkpoint !== null) {
    log.info(
      { entry: checkpoint.n, bytes: checkpoint.bytes, head },
      'the state is fetched from the control plane',
    );
    const path = await buildFromCheckpoint(client, checkpoint, stateDb, patience);
    return { path, position: { n: checkpoint.n, hash: checkpoint.hash } };
  }
  if (entriesAfter > 0)
    throw new SvcError(
      'store-failed',
      'The control plane has no checkpoint of this home, and not all of its entries: the state cannot be built.',
    );
  const path = await buildEmpty(migrations, storeVersion, stateDb);
  return { path, position: { n: 0, hash: CHAIN_START } };
}

async function follow(
  { client, patience, stateDb, log }: ClaimParts,
  from: LogPosition,
  { head }: HomeState,
): Promise<void> {
  if (from.n === head) return;
  log.info({ from: from.n, head }, 'the changes since then are replayed');
  const onProgress = (n: number) => log.info({ n, head }, 'changes are replayed');
  await replayLog({ client, patience, onProgress }, stateDb, from, head);
}

/**
 * If the claim fails, the next step is decided again: another process was faster, or the one that had the home
 * might still act. `waitUntil`: epoch ms; after that, SvcError `lease-running`.
 */
async function tryClaim(
  { client, patience, program, instance, migrations, clock, log }: ClaimParts,
  state: HomeState,
  { first, waitUntil }: { first: FileStanding | null; waitUntil: number },
): Promise<{ generation: number; takeoverMs: number } | 'overtaken' | 'waited'> {
  const { generation, head, hash } = state;
  // Entries that were overtaken are no sign of a control plane that was restored to the past.
  const file =
    first?.position && !mayBeOvertaken(first, state)
      ? { generation: first.generation, ...first.position }
      : null;
  const storeVersion = migrations.length;
  try {
    return await client.claim(
      { generation, head, hash, storeVersion, program, instance, file },
      patience,
    );
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
    if (error.code === 'home-claimed' && error.data.holder == null) return 'overtaken';
    if (error.code !== 'lease-running' || clock.now() >= waitUntil) throw error;
    const until = Date.parse(String(error.data.until));
    log.warn(
      { until: error.data.until },
      'the process that had this home may still be acting: the start waits until its time is over',
    );
    await sleep(clock, Math.max(0, until - clock.now()) || 1_000, patience.signal);
    return 'waited';
  }
}

function finishClaim(
  { stateDb }: ClaimParts,
  { head, hash, storeVersion, homeId, checkpoint }: HomeState,
  { generation, takeoverMs }: { generation: number; takeoverMs: number },
): ClaimedState {
  const acknowledgedPosition = { n: head, hash };
  const { at, entries } = renewEntries(stateDb, acknowledgedPosition, generation);
  return {
    generation,
    takeoverMs,
    position: at,
    acknowledged: acknowledgedPosition,
    outgoing: entries,
    storeVersion,
    homeId,
    hasCheckpoint: checkpoint !== null,
  };
}

function renewEntries(stateDb: string, head: LogPosition, generation: number) {
  const db = new Database(stateDb);
  try {
    return renewOutgoing(db, head, generation);
  } finally {
    db.close();
  }
}
