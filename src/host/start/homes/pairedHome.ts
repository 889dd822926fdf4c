import { raceDeadline } from '../../../base/time/waiting.ts';
import type { HomeClient } from '../../../cloudLink/homes/homeClient.ts';
import type { Patience } from '../../../cloudLink/homes/runnerRequests.ts';
import { ActingHome } from '../../../cloudLink/homes/actingHome.ts';
import { type LogEnd, SocketLog } from '../../../cloudLink/homes/socketLog.ts';
import { MIGRATIONS } from '../../../jobs/store/migrations/migrations.ts';
import type { OpenStore } from '../../../jobs/store/openStore.ts';
import type { Blobs } from '../../../jobs/workspace/blobs.ts';
import type { LogPosition } from '../../../kernel/sqlite/log/homeLog.ts';
import type { LogStart } from '../../../kernel/sqlite/log/storeLog.ts';
import { OWNER } from '../../../kernel/sqlite/refuseNewerOwner.ts';
import { readOwnHomeId, reserveHomeId } from '../../backup/homeRecord.ts';
import { readArrival } from './arrival.ts';
import { beginEmptyLog } from './beginEmptyLog.ts';
import { HomeCheckpoints } from './homeCheckpoints.ts';
import { claimHome, type ClaimedState } from './claimHome.ts';
import { withCloudBlobs } from './cloudBlobs.ts';
import { fetchArchives } from './homeArchives.ts';
import { createHomeClient } from './createHomeClient.ts';
import { createLogStart } from './createLogStart.ts';
import { createOutagePatience } from './createOutagePatience.ts';
import { noteArrival } from './staleCheckouts.ts';
import type { HomeLogStatus, PairedHomeOptions, PairedHomeStart } from './pairedHomeOptions.ts';
import { type ReadChangedJobs, readEntryRows } from './readEntryRows.ts';
import { seedHome } from './seedHome.ts';
import { StateCopies } from './stateCopies.ts';
import { uploadHomeFiles } from './uploadHomeFiles.ts';

/** How long a clean stop may upload a last copy of the state, ms. */
const LAST_COPY_MS = 15_000;
/** How long a clean stop may try to give the home up, ms; without that it is taken over later. */
const RELEASE_MS = 10_000;

/** A home whose runner works for a team: its log at the control plane, from the start until it is local again. */
export class PairedHome {
  readonly client: HomeClient;
  /** The log cannot be continued: the runner has to end. */
  onEnd: (end: LogEnd) => void = () => undefined;
  /** Reads the jobs among actors that an entry has changed; null = they cannot be read yet. */
  readJobs: ReadChangedJobs = () => null;
  readonly acting: ActingHome;
  readonly #start: PairedHomeStart;
  readonly #options: PairedHomeOptions;
  readonly #stop = new AbortController();
  readonly #patience: Patience;
  #claimed: ClaimedState | null = null;
  /** The state did not exist when the start began. */
  #isNew = false;
  #isTakeover = false;
  #store: OpenStore | null = null;
  #socketLog: SocketLog | null = null;
  #checkpoints: HomeCheckpoints | null = null;
  #isSeeding = false;
  #isLeaving = false;
  readonly #copies: StateCopies;

  /** Throws SvcError `config-invalid` for an address that the token must not be sent to. */
  constructor(start: PairedHomeStart, options: PairedHomeOptions) {
    this.acting = new ActingHome(start.clock);
    this.#start = start;
    this.#options = options;
    const { settings, clock, log } = start;
    const { checker, readToken } = options;
    const { cloud, version, paths } = settings;
    this.client = createHomeClient({ url: cloud.url, version, readToken, clock });
    this.#patience = createOutagePatience(this.#stop.signal, clock, log);
    this.#copies = new StateCopies(paths.stateDb, checker, this.#stop.signal);
  }

  /** What a socket of the link carries; null = nothing. */
  get socketLog(): SocketLog | null {
    return this.#isSeeding && this.#checkpoints === null ? null : this.#socketLog;
  }

  get status(): HomeLogStatus {
    const unsent = this.#socketLog?.unsent ?? { entries: 0, bytes: 0 };
    const state = this.#isSeeding ? 'seeding' : this.#socketLog === null ? 'local' : 'logged';
    return { state, unsent };
  }

  get #migrations(): readonly string[] {
    return this.#options.migrations ?? MIGRATIONS;
  }

  /**
   * Takes and claims the home, before its store is opened. Waits as long as the control plane is away: what this disk
   * has may be old, and another runner may have the home.
   */
  async claim(): Promise<void> {
    const { settings, clock, ids, log } = this.#start;
    const { home, paths, version } = settings;
    const foundHome = await claimHome({
      client: this.client,
      patience: this.#patience,
      home,
      stateDb: paths.stateDb,
      homeId: (await readOwnHomeId(home)) ?? null,
      program: version,
      instance: ids.next(),
      migrations: this.#migrations,
      clock,
      ids,
      onArrival: async (file) => {
        await noteArrival(this.#start, file);
        this.#isTakeover = true;
      },
      log,
    });
    if ('claimed' in foundHome) {
      this.#claimed = foundHome.claimed;
      await reserveHomeId(home, { ...ids, next: () => foundHome.claimed.homeId });
    } else this.#isNew = foundHome.isNew;
  }

  /** The control plane has the state of this home, whatever this disk has. */
  get isClaimed(): boolean {
    return this.#claimed !== null;
  }

  /** Another machine has worked on the home since this one did, and this start is the first one here since then. */
  get isTakeover(): boolean {
    return this.#isTakeover;
  }

  /** Begins the log of the store, before its kernel is started. */
  async begin(store: OpenStore): Promise<void> {
    this.#store = store;
    if (this.#claimed === null && this.#isNew) this.#claimed = await this.#beginEmpty();
    const claim = this.#claimed;
    if (claim === null) return;
    const { generation, position, acknowledged, outgoing } = claim;
    this.#socketLog = this.#openSocketLog(generation, position, { acknowledged, outgoing });
    this.#checkpoints = this.#createCheckpoints(store, this.#socketLog);
    await store.log.begin(
      this.acting.hold(this.#socketLog),
      this.#describeStart(generation, position),
    );
  }

  /** Resolves when entries may be made, and repeats be answered. The link is connected. */
  async prepare(): Promise<void> {
    // A repeat is answered by what an earlier process has made: the control plane has to have that first.
    await this.#socketLog?.waitFor(this.#socketLog.head, this.#stop.signal);
    this.#stop.signal.throwIfAborted();
    if (this.#claimed === null || this.#claimed.storeVersion === this.#migrations.length) return;
    this.#start.log.warn(
      { from: this.#claimed.storeVersion, to: this.#migrations.length },
      'the state has a newer version: jobs continue when the control plane has a copy of it',
    );
    await this.#checkpoints?.uploadUnlessAsked();
  }

  /**
   * What is done beside the work: archives that this disk lacks are fetched, and a home that has no log yet gets one.
   * `reconnect`: opens another socket. Never rejects.
   */
  async work(reconnect: () => void): Promise<void> {
    const store = this.#store;
    if (store === null) return;
    const { log, settings, clock } = this.#start;
    if (this.#socketLog !== null) {
      const { stateDb } = settings.paths;
      const { client } = this;
      const arrivedAt = readArrival(settings.home)?.at ?? null;
      const patience = this.#patience;
      await fetchArchives({ client, store, stateDb, arrivedAt, patience, clock, log });
      return;
    }
    await this.#seed(store, reconnect);
  }

  /** Artefacts through to the control plane. */
  withBlobs(local: Blobs): Blobs {
    const { clock } = this.#start;
    return withCloudBlobs(local, () =>
      this.#socketLog === null ? null : { client: this.client, signal: this.#stop.signal, clock },
    );
  }

  /**
   * Makes the home local again: the control plane has the last entries, and deletes its log. Waits while it is away.
   * `isAbandoned`: without it; what it has stays there. false = the wait was ended by a stop, or by an abandonment.
   */
  async leave(isAbandoned: boolean): Promise<boolean> {
    const socketLog = this.#socketLog;
    if (!isAbandoned) {
      const { signal } = this.#stop;
      if (socketLog !== null && !(await socketLog.waitFor(socketLog.head, signal))) return false;
      this.#isLeaving = true;
      try {
        await this.client.leave(this.#patience);
      } catch (error) {
        if (signal.aborted) return false;
        this.#isLeaving = false;
        throw error;
      }
    }
    this.#isLeaving = true;
    this.#store?.log.end();
    this.#socketLog = null;
    this.#isSeeding = false;
    this.#stop.abort();
    return true;
  }

  /** Ends what is tried; the log stays as it is. Resolves when no copy of the state is being made. */
  async close(): Promise<void> {
    this.#stop.abort();
    await this.#checkpoints?.waitUntilIdle();
    await this.#copies.waitUntilIdle();
  }

  /** A clean stop: after the kernel, before the link is closed. `handsOver`: the home is given up after it. */
  async finish(handsOver = false): Promise<void> {
    const { clock } = this.#start;
    if (this.#checkpoints?.needsCopy(handsOver) === true && !this.#isSeeding)
      await raceDeadline(clock, LAST_COPY_MS, this.#checkpoints.upload(), () => undefined);
    this.#stop.abort();
  }

  /**
   * Gives the home up after a clean stop, at the newest entry: another runner may continue it at once. A home whose log
   * is not complete at the control plane stays. Throws what the control plane answers.
   */
  async release(): Promise<void> {
    const socketLog = this.#socketLog;
    if (socketLog === null || this.#isSeeding || socketLog.unsent.entries > 0) return;
    await this.client.release(socketLog.position, {
      signal: AbortSignal.timeout(RELEASE_MS),
      onProblem() {},
    });
  }

  async #beginEmpty(): Promise<ClaimedState | null> {
    const { settings, ids } = this.#start;
    const homeId = await reserveHomeId(settings.home, ids);
    const about = { homeId, storeVersion: this.#migrations.length };
    return beginEmptyLog(this.client, about, this.#patience);
  }

  async #seed(store: OpenStore, reconnect: () => void): Promise<void> {
    const { settings, clock, ids, log } = this.#start;
    const generation = Number(store.db.get(OWNER)?.value ?? 0);
    this.#isSeeding = true;
    const seededLog = await seedHome({
      client: this.client,
      patience: this.#patience,
      clock,
      log,
      ids,
      homeId: await reserveHomeId(settings.home, ids),
      generation,
      storeVersion: this.#migrations.length,
      begin: async (position) => {
        store.log.end();
        this.#checkpoints = null;
        this.#socketLog = this.#openSocketLog(generation, position);
        await store.log.begin(this.acting.hold(this.#socketLog), {
          ...this.#describeStart(generation, position),
          isSeeding: true,
        });
        return this.#socketLog;
      },
      end: () => {
        store.log.end();
        this.#socketLog = null;
      },
      copy: () => this.#copies.make(store),
      uploadFiles: () => uploadHomeFiles(this.client, store, settings.paths, this.#patience, log),
    });
    if (seededLog === null || this.#isLeaving) {
      this.#isSeeding = false;
      return;
    }
    this.#checkpoints = this.#createCheckpoints(store, seededLog);
    reconnect();
    if (!(await seededLog.waitFor(seededLog.head, this.#stop.signal)) || this.#isLeaving) return;
    store.log.endSeeding();
    this.#isSeeding = false;
    log.info({ entry: seededLog.head }, 'from now on the control plane has what is acknowledged');
  }

  #openSocketLog(
    generation: number,
    position: LogPosition,
    knownPositions: Pick<ClaimedState, 'acknowledged' | 'outgoing'> = {
      acknowledged: position,
      outgoing: [],
    },
  ): SocketLog {
    return new SocketLog({
      generation,
      position,
      ...knownPositions,
      onEnd: (end) => {
        if (!this.#isLeaving) this.onEnd(end);
      },
      readRows: (actors) => readEntryRows(actors, this.readJobs, this.#start.log),
      onAcknowledged: (entries, bytes) => this.#checkpoints?.noteAcknowledged(entries, bytes),
    });
  }

  #createCheckpoints(store: OpenStore, socketLog: SocketLog): HomeCheckpoints {
    const { clock, log } = this.#start;
    return new HomeCheckpoints({
      client: this.client,
      makeCopy: () => this.#copies.make(store),
      socketLog,
      patience: this.#patience,
      clock,
      log,
    });
  }

  #describeStart(generation: number, position: LogPosition): LogStart {
    const { client } = this;
    const parts = { client, patience: this.#patience, checkpoints: () => this.#checkpoints };
    return createLogStart(parts, generation, position);
  }
}
