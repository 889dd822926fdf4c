import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { seededRandom } from '../../support/charts/randomWalk.ts';
import { createTestDatabase } from '../../support/cloud/openTestDatabase.ts';
import { waitUntil } from '../../support/cloud/testTeam.ts';
import { compareStates, readClosedState } from '../../support/log/compareStates.ts';
import { checkHistory, type HistoryLine } from './checkHistory.ts';
import { HOME_ID, HomeStage } from './homeStage.ts';
import { findOrderProblems, Orders, type StoredOrder } from './orders.ts';
import { findLogProblems, hasUnsentEntries, readStoredLog } from './readHomeRows.ts';

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * How often each is chosen. `takeover`: killed, and continued in an empty folder; `back`: in one where it was before;
 * `frozen`: stopped, overtaken, then continued.
 */
const KINDS = {
  restart: 4,
  takeover: 2,
  back: 1,
  frozen: 1,
  node: 2,
  database: 1,
  cut: 2,
} as const;
type FaultKind = keyof typeof KINDS;

/** Of a process that another one has overtaken. */
const FENCED = 75;
/** How long such a process may need to learn of it, on a busy machine, ms. */
const FENCED_MS = 120_000;
/** How long parcels that wait at the end may take, ms. */
const PARCELS_MS = 120_000;
/** Without a command, a fault or a start in this time nothing moves any more, ms: what is slow still moves. */
const STALL_MS = 240_000;
const LOOK_MS = 1_000;

export interface HomeKillsOptions {
  /** Of processes of the home, of nodes and of the database; processes are stopped and connections cut beside. */
  kills: number;
  seed: number;
  workers?: number;
  /** Kinds that are played; default: all. */
  only?: readonly FaultKind[];
  /** Default: that of a control plane: an acknowledged transaction is on the disk. */
  synchronousCommit?: 'on' | 'off';
  /** Makes a migrated database; default: on the server of this process. */
  createDatabase?(): Promise<string>;
  /** After each fault; `kills`: how many there were by then. */
  onFault?(kills: number, kind: FaultKind, acknowledged: number): void;
}

export interface HomeKillsReport {
  seed: number;
  kills: number;
  /** Kills of a home that did not serve yet, which are among the kills. */
  killedStarts: number;
  kinds: Partial<Record<FaultKind, number>>;
  acknowledged: number;
  orders: number;
  parcels: number;
  entries: number;
  generations: number;
  seconds: number;
}

export interface PlayedKills {
  report: HomeKillsReport;
  problems: string[];
}

/**
 * Kills the processes of a home, its nodes and its database under load, and continues the home in the same folder, an
 * empty one or an earlier one. Returns what was lost, doubled or accepted wrongly. What a run with problems has on the
 * disk stays there.
 */
export async function killHomes(options: HomeKillsOptions): Promise<PlayedKills> {
  const run = new HomeKills(options);
  try {
    return await Promise.race([run.play(), run.watch()]);
  } finally {
    await run.end();
  }
}

class HomeKills {
  readonly #options: HomeKillsOptions;
  readonly #chance: () => number;
  readonly #stage: HomeStage;
  readonly #orders = new Orders(() => this.#stage.address);
  readonly #problems: string[] = [];
  readonly #kinds: HomeKillsReport['kinds'] = {};
  readonly #beganAt = performance.now();
  #killed = 0;
  #frozen = 0;
  #faults = 0;
  #isOver = false;

  constructor(options: HomeKillsOptions) {
    this.#options = options;
    this.#chance = seededRandom(options.seed);
    this.#stage = new HomeStage({
      chance: this.#chance,
      synchronousCommit: options.synchronousCommit ?? 'on',
      createDatabase: options.createDatabase ?? createTestDatabase,
      onEnd: (code) => {
        this.#problems.push(`the home ended by itself: ${code}`);
        this.#orders.fail(new Error('the home ended by itself'));
      },
    });
  }

  get #kills(): number {
    return this.#killed + this.#stage.killedStarts;
  }

  async play(): Promise<PlayedKills> {
    await this.#stage.open();
    const { kills, workers = 6, onFault } = this.#options;
    const working = Promise.all(
      Array.from({ length: workers }, (_, worker) => this.#orders.work(worker)),
    );
    working.catch(() => {});
    while (this.#kills < kills && this.#problems.length === 0) {
      await pause(100 + this.#chance() * 700);
      const kind = this.#choose();
      this.#kinds[kind] = (this.#kinds[kind] ?? 0) + 1;
      await this.#play(kind);
      this.#faults += 1;
      onFault?.(this.#kills, kind, this.#orders.acknowledged.length);
    }
    this.#orders.finish();
    if (this.#problems.length === 0) {
      await working;
      await this.#check();
    }
    return { report: await this.#report(), problems: this.#problems };
  }

  /** Resolves only where nothing has moved for a long time. */
  async watch(): Promise<PlayedKills> {
    let moves = -1;
    for (let stillMs = 0; stillMs < STALL_MS; stillMs += LOOK_MS) {
      const now = this.#faults + this.#stage.starts + this.#orders.acknowledged.length;
      if (now !== moves) stillMs = 0;
      moves = now;
      await pause(LOOK_MS);
      if (this.#isOver) return new Promise(() => undefined);
    }
    this.#problems.push(`nothing has moved for ${STALL_MS / 1_000} s`);
    return { report: await this.#report(), problems: this.#problems };
  }

  async end(): Promise<void> {
    this.#isOver = true;
    this.#orders.fail(new Error('the run is over'));
    const isKept = this.#problems.length > 0;
    await this.#stage.close(isKept);
    if (isKept) console.log(`kept: ${this.#stage.root}`);
  }

  async #report(): Promise<HomeKillsReport> {
    const { entries, generation } = await readStoredLog(this.#stage.databaseUrl, HOME_ID);
    return {
      seed: this.#options.seed,
      kills: this.#kills,
      killedStarts: this.#stage.killedStarts,
      kinds: this.#kinds,
      acknowledged: this.#orders.acknowledged.length,
      orders: this.#orders.complete.length,
      parcels: this.#stage.carrier.parcels.size,
      entries: entries.at(-1)?.n ?? 0,
      generations: generation,
      seconds: Math.round((performance.now() - this.#beganAt) / 1000),
    };
  }

  #choose(): FaultKind {
    const { only } = this.#options;
    const all = (Object.entries(KINDS) as [FaultKind, number][]).filter(
      ([kind]) => only?.includes(kind) ?? true,
    );
    let left = this.#chance() * all.reduce((sum, [, share]) => sum + share, 0);
    for (const [kind, share] of all) {
      left -= share;
      if (left < 0) return kind;
    }
    return 'restart';
  }

  async #play(kind: FaultKind): Promise<void> {
    if (kind === 'cut') return this.#stage.board.cut();
    if (kind === 'frozen') return this.#freeze();
    this.#killed += 1;
    if (kind === 'node') return this.#stage.killNode();
    if (kind === 'database') return this.#stage.crashDatabase();
    await this.#stage.killHome();
    if (kind !== 'restart') this.#stage.move(kind === 'back' ? 'earlier' : 'new');
    await this.#stage.startHome();
  }

  /** The process is stopped, another one takes the home over, then it continues: it must end by itself. */
  async #freeze(): Promise<void> {
    const stage = this.#stage;
    const { home: frozen, address } = stage;
    if (!frozen?.isUp) return;
    stage.address = null;
    frozen.child.kill('SIGSTOP');
    this.#frozen += 1;
    const id = `zombie-${this.#frozen}`;
    const isAcknowledged = fetch(`${address}/submit`, {
      method: 'POST',
      body: JSON.stringify({ starts: [{ chart: 'order', id, input: { id, price: 5 } }] }),
    }).then(
      ({ ok }) => ok,
      () => false,
    );
    stage.move('new');
    await stage.startHome();
    frozen.child.kill('SIGCONT');
    const code = await Promise.race([
      frozen.ended,
      pause(FENCED_MS).then(() => 'it continues' as const),
    ]);
    if (code !== FENCED) this.#problems.push(`a frozen process did not end by itself: ${code}`);
    await frozen.signal('SIGKILL');
    if (await isAcknowledged)
      this.#problems.push(`${id} was acknowledged by a process that was overtaken`);
  }

  /** Until the control plane has everything; gives the file. */
  async #stopHome(): Promise<string> {
    const { home, dir, databaseUrl } = this.#stage;
    await home?.signal('SIGTERM');
    const file = join(dir, 'state.db');
    if (this.#isOver || !(await hasUnsentEntries(file, databaseUrl, HOME_ID))) return file;
    await this.#stage.startHome();
    return this.#stopHome();
  }

  async #check(): Promise<void> {
    const stage = this.#stage;
    let orders: StoredOrder[] = [];
    const look = async (): Promise<string[]> => {
      orders = await this.#orders.read();
      return findOrderProblems(orders, this.#orders, stage.carrier.parcels);
    };
    await waitUntil(async () => (await look()).length === 0, PARCELS_MS).catch(() => undefined);
    this.#problems.push(...(await look()));
    // A clean stop leaves a checkpoint of everything; an empty folder makes the same of it.
    const ownFile = await this.#stopHome();
    stage.move('new');
    await stage.startHome();
    const builtFile = await this.#stopHome();
    if (!existsSync(ownFile) || !existsSync(builtFile)) throw new Error('a state is missing');
    const { differences, rows } = readClosedState(ownFile, (one) =>
      readClosedState(builtFile, (other) => compareStates(one, other)),
    );
    this.#problems.push(...differences.map((one) => `the log makes another state: ${one}`));
    if (rows < this.#orders.complete.length) this.#problems.push('the states have no rows');
    const log = await readStoredLog(stage.databaseUrl, HOME_ID);
    const history = readFileSync(stage.history, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as HistoryLine);
    this.#problems.push(...findLogProblems(log), ...checkHistory(history, log));
  }
}
