import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findTestProgram } from '../../support/findTestProgram.ts';
import { createTestDatabase } from '../../support/cloud/openTestDatabase.ts';
import { pairHome, seedTeams, waitUntil } from '../../support/cloud/testTeam.ts';
import { seededRandom } from '../../support/charts/randomWalk.ts';
import { compareStates, readClosedState } from '../../support/log/compareStates.ts';
import { Carrier } from './carrier.ts';
import { checkHistory, type HistoryLine } from './checkHistory.ts';
import type { HomeTask } from './homeTask.ts';
import { openPatiently, tryPatiently } from './openPatiently.ts';
import { findOrderProblems, Orders, type StoredOrder } from './orders.ts';
import { Served } from './served.ts';
import { findLogProblems, readStoredLog } from './readHomeRows.ts';
import { Switchboard } from './switchboard.ts';

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** How often each is chosen. `frozen`: stopped, overtaken, then continued. */
const KINDS = {
  restart: 5,
  takeover: 2,
  frozen: 1,
  node: 2,
  database: 1,
  cut: 2,
} as const;
export type KillKind = keyof typeof KINDS;

const WINDOW_MS = 1_500;
/** Of a process that another one has overtaken. */
const FENCED = 75;
const HOME_ID = 'home1';

export interface HomeKillsOptions {
  kills: number;
  seed: number;
  workers?: number;
  /** Kinds that are played; default: all. */
  only?: readonly KillKind[];
  /** Default: that of a control plane: an acknowledged transaction is on the disk. */
  synchronousCommit?: 'on' | 'off';
  onKill?(line: string): void;
}

export interface HomeKillsReport {
  seed: number;
  kinds: Partial<Record<KillKind, number>>;
  /** Kills of a home that did not serve yet. */
  starting: number;
  acknowledged: number;
  orders: number;
  parcels: number;
  entries: number;
  generations: number;
  seconds: number;
}

/**
 * Kills the processes of a home, its nodes and its database under load, and continues the home in the same folder or an
 * empty one. Returns what was lost, doubled or accepted wrongly.
 */
export async function killHomes(
  options: HomeKillsOptions,
): Promise<{ report: HomeKillsReport; problems: string[] }> {
  const run = new HomeKills(options);
  try {
    return await run.play();
  } finally {
    await run.end();
  }
}

class HomeKills {
  readonly #options: HomeKillsOptions;
  readonly #chance: () => number;
  readonly #root = mkdtempSync(join(tmpdir(), 'svc-home-kills-'));
  readonly #board = new Switchboard();
  readonly #carrier = new Carrier();
  readonly #nodes: Served[] = [];
  readonly #problems: string[] = [];
  readonly #kinds: HomeKillsReport['kinds'] = {};
  readonly #orders = new Orders(() => this.#address);
  #starting = 0;
  #frozen = 0;
  #databaseUrl = '';
  #task: Omit<HomeTask, 'dir'> | null = null;
  #folders = 0;
  #dir = '';
  #home: Served | null = null;
  /** Where the home serves; null = it does not now. */
  #address: string | null = null;

  constructor(options: HomeKillsOptions) {
    this.#options = options;
    this.#chance = seededRandom(options.seed);
  }

  async play(): Promise<{ report: HomeKillsReport; problems: string[] }> {
    const began = performance.now();
    await this.#open();
    const { kills, workers = 6, onKill } = this.#options;
    const working = Promise.all(
      Array.from({ length: workers }, (_, worker) => this.#orders.work(worker)),
    );
    working.catch(() => {});
    for (let count = 1; count <= kills && this.#problems.length === 0; count++) {
      await pause(100 + this.#chance() * 700);
      const kind = this.#choose();
      this.#kinds[kind] = (this.#kinds[kind] ?? 0) + 1;
      await this.#kill(kind);
      onKill?.(`${count} ${kind}: ${this.#orders.acknowledged.length} acknowledged`);
    }
    this.#orders.finish();
    if (this.#problems.length === 0) {
      await working;
      await this.#check();
    }
    const { entries, generation } = await readStoredLog(this.#databaseUrl, HOME_ID);
    const { carrier, seed } = { carrier: this.#carrier, seed: this.#options.seed };
    const report: HomeKillsReport = {
      seed,
      kinds: this.#kinds,
      starting: this.#starting,
      acknowledged: this.#orders.acknowledged.length,
      orders: this.#orders.complete.length,
      parcels: carrier.parcels.size,
      entries: entries.at(-1)?.n ?? 0,
      generations: generation,
      seconds: Math.round((performance.now() - began) / 1000),
    };
    return { report, problems: this.#problems };
  }

  async end(): Promise<void> {
    await this.#home?.signal('SIGKILL');
    for (const node of this.#nodes) await node.signal('SIGKILL');
    this.#board.close();
    this.#carrier.close();
    rmSync(this.#root, { recursive: true, force: true });
  }

  async #open(): Promise<void> {
    this.#databaseUrl = await createTestDatabase();
    // The server of tests acknowledges what is not on the disk.
    const { sql, close } = await openPatiently(this.#databaseUrl);
    const [row] = await sql`select current_database() as name`;
    const how = this.#options.synchronousCommit ?? 'on';
    await sql.unsafe(`alter database ${row?.name} set synchronous_commit = ${how}`);
    await close();
    await seedTeams(this.#databaseUrl);
    const [url, carrier] = await Promise.all([this.#board.open(), this.#carrier.open()]);
    await Promise.all([this.#startNode(), this.#startNode()]);
    const node = { url, ask: (path: string, init?: RequestInit) => fetch(`${url}${path}`, init) };
    const { body } = await pairHome(node as Parameters<typeof pairHome>[0], {
      homeId: HOME_ID,
      pool: true,
      userId: 'adm',
    });
    this.#task = {
      url,
      carrier,
      token: body.token,
      homeId: HOME_ID,
      history: join(this.#root, 'history'),
      checker: {
        file: await findTestProgram('src/host/start/checkpointCopy.ts'),
        execArgv: [],
      },
    };
    this.#dir = this.#makeFolder();
    await this.#startHome();
  }

  #makeFolder(): string {
    this.#folders += 1;
    const dir = join(this.#root, `home-${this.#folders}`);
    mkdirSync(dir, { mode: 0o700 });
    return dir;
  }

  async #startNode(): Promise<void> {
    const program = await findTestProgram('test/crash/homes/nodeProgram.ts');
    const node = await tryPatiently(async () => {
      const started = new Served(program, [this.#databaseUrl, '0', String(WINDOW_MS)]);
      await started.url;
      return started;
    });
    this.#nodes.push(node);
    this.#board.add(await node.url);
  }

  async #launch(dir: string): Promise<Served> {
    const program = await findTestProgram('test/crash/homes/homeProgram.ts');
    return new Served(program, [JSON.stringify({ ...this.#task, dir })]);
  }

  /** Starts the home in its folder until it serves; some starts are killed. */
  async #startHome(): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      const home = await this.#launch(this.#dir);
      this.#home = home;
      if (attempt < 3 && this.#folders + this.#starting > 0 && this.#chance() < 0.15) {
        await pause(this.#chance() * 1_500);
        if (home.isUp) {
          this.#starting += 1;
          await home.signal('SIGKILL');
          continue;
        }
      }
      try {
        this.#address = await home.url;
        void home.ended.then((code) => {
          if (this.#home !== home || home.isSignalled) return;
          this.#problems.push(`the home ended by itself: ${code}`);
          this.#orders.fail(new Error('the home ended by itself'));
        });
        return;
      } catch {
        // A node or the database may have been killed meanwhile; but not for ever.
        if (attempt === 20) {
          this.#problems.push('the home does not start any more');
          this.#orders.fail(new Error('the home does not start any more'));
          return;
        }
        await pause(200);
      }
    }
  }

  #choose(): KillKind {
    const { only } = this.#options;
    const all = (Object.entries(KINDS) as [KillKind, number][]).filter(
      ([kind]) => only?.includes(kind) ?? true,
    );
    let left = this.#chance() * all.reduce((sum, [, share]) => sum + share, 0);
    for (const [kind, share] of all) {
      left -= share;
      if (left < 0) return kind;
    }
    return 'restart';
  }

  async #kill(kind: KillKind): Promise<void> {
    switch (kind) {
      case 'restart':
      case 'takeover':
        this.#address = null;
        await this.#home?.signal('SIGKILL');
        if (kind === 'takeover') this.#dir = this.#makeFolder();
        return this.#startHome();
      case 'frozen':
        return this.#freeze();
      case 'node': {
        const [node] = this.#nodes.splice(0, 1);
        if (node === undefined) return;
        this.#board.remove(await node.url);
        await node.signal('SIGKILL');
        return this.#startNode();
      }
      case 'database':
        return this.#crashDatabase();
      case 'cut':
        this.#board.cut();
    }
  }

  /** The process is stopped, another one takes the home over, then it continues: it must end by itself. */
  async #freeze(): Promise<void> {
    const frozen = this.#home;
    if (!frozen?.isUp) return;
    const address = this.#address;
    this.#address = null;
    frozen.child.kill('SIGSTOP');
    this.#frozen += 1;
    const id = `zombie-${this.#frozen}`;
    const asked = fetch(`${address}/submit`, {
      method: 'POST',
      body: JSON.stringify({ starts: [{ chart: 'order', id, input: { id, price: 5 } }] }),
      signal: AbortSignal.timeout(60_000),
    }).then(
      ({ ok }) => ok,
      () => false,
    );
    this.#dir = this.#makeFolder();
    await this.#startHome();
    const next = this.#address;
    this.#address = null;
    frozen.child.kill('SIGCONT');
    if (await asked) this.#problems.push(`${id} was acknowledged by a process that was overtaken`);
    this.#address = next;
    const code = await Promise.race([
      frozen.ended,
      pause(30_000).then(() => 'it continues' as const),
    ]);
    if (code !== FENCED) this.#problems.push(`a frozen process did not end by itself: ${code}`);
    await frozen.signal('SIGKILL');
  }

  /** One process of PostgreSQL is killed: it ends all others and recovers. */
  async #crashDatabase(): Promise<void> {
    const { sql, close } = await openPatiently(this.#databaseUrl);
    const rows = await sql`
      select pid from pg_stat_activity
      where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`;
    const pid = Number(rows[Math.floor(this.#chance() * rows.length)]?.pid);
    await close();
    if (pid > 0) process.kill(pid, 'SIGKILL');
  }

  async #check(): Promise<void> {
    let orders: StoredOrder[] = [];
    const look = async (): Promise<string[]> => {
      orders = await this.#orders.read();
      return findOrderProblems(orders, this.#orders, this.#carrier.parcels);
    };
    await waitUntil(async () => (await look()).length === 0, 30_000).catch(() => undefined);
    this.#problems.push(...(await look()));
    // A clean stop leaves a checkpoint of everything; an empty folder makes the same of it.
    await this.#home?.signal('SIGTERM');
    const left = join(this.#dir, 'state.db');
    this.#dir = this.#makeFolder();
    await this.#startHome();
    await this.#home?.signal('SIGTERM');
    const built = join(this.#dir, 'state.db');
    if (!existsSync(left) || !existsSync(built)) throw new Error('a state is missing');
    const { differences, rows } = readClosedState(left, (one) =>
      readClosedState(built, (other) => compareStates(one, other)),
    );
    this.#problems.push(...differences.map((one) => `the log makes another state: ${one}`));
    if (rows < this.#orders.complete.length) this.#problems.push('the states have no rows');
    const stored = await readStoredLog(this.#databaseUrl, HOME_ID);
    const history = readFileSync(join(this.#root, 'history'), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as HistoryLine);
    this.#problems.push(...findLogProblems(stored), ...checkHistory(history, stored));
  }
}
