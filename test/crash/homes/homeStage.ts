import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pairHome, seedTeams } from '../../support/cloud/testTeam.ts';
import { findTestProgram } from '../../support/findTestProgram.ts';
import { Carrier } from './carrier.ts';
import type { HomeTask } from './homeTask.ts';
import { openPatiently, tryPatiently } from './openPatiently.ts';
import { Served } from './served.ts';
import { Switchboard } from './switchboard.ts';

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export const HOME_ID = 'home1';
const WINDOW_MS = 1_500;
/** Folders of earlier processes that are kept. */
const MOST_FOLDERS = 2;
/** Between two starts of a home that has ended before it served, ms. */
const AGAIN_MS = 200;
/** Share of the starts that are killed before the home serves. */
const KILLED_STARTS = 0.15;
const MOST_KILLED_STARTS = 2;
const LATEST_KILL_MS = 1_500;

export interface HomeStageOptions {
  chance(): number;
  /** Of the database. */
  synchronousCommit: 'on' | 'off';
  createDatabase(): Promise<string>;
  /** A process of the home ended that was not ended from outside. */
  onEnd(code: number | null): void;
}

/** A home, two nodes behind one address, a database and the world, all of which can be killed. */
export class HomeStage {
  readonly root = mkdtempSync(join(tmpdir(), 'svc-home-kills-'));
  readonly carrier = new Carrier();
  readonly board = new Switchboard();
  readonly history = join(this.root, 'history');
  databaseUrl = '';
  home: Served | null = null;
  /** Where the home serves; null = it does not now. */
  address: string | null = null;
  /** Of the present process. */
  dir = '';
  /** Kills of a home that did not serve yet. */
  killedStarts = 0;
  /** Starts, with those that failed or were killed. */
  starts = 0;
  readonly #options: HomeStageOptions;
  readonly #nodes: Served[] = [];
  /** Of earlier processes, the newest last. */
  readonly #left: string[] = [];
  #task: Omit<HomeTask, 'dir'> | null = null;
  #folders = 0;
  #isClosed = false;

  constructor(options: HomeStageOptions) {
    this.#options = options;
  }

  async open(): Promise<void> {
    this.databaseUrl = await this.#options.createDatabase();
    // The server of tests acknowledges what is not on the disk.
    const { sql, close } = await openPatiently(this.databaseUrl);
    const [row] = await sql`select current_database() as name`;
    const how = this.#options.synchronousCommit;
    await sql.unsafe(`alter database ${row?.name} set synchronous_commit = ${how}`);
    await close();
    await seedTeams(this.databaseUrl);
    const [url, carrier] = await Promise.all([this.board.open(), this.carrier.open()]);
    await Promise.all([this.#startNode(), this.#startNode()]);
    const node = { url, ask: (path: string, init?: RequestInit) => fetch(`${url}${path}`, init) };
    const who = { homeId: HOME_ID, pool: true, userId: 'adm' };
    const { body } = await pairHome(node as Parameters<typeof pairHome>[0], who);
    this.#task = {
      url,
      carrier,
      token: body.token,
      homeId: HOME_ID,
      history: this.history,
      checker: {
        file: await findTestProgram('src/host/start/checkpointCopy.ts'),
        execArgv: [],
      },
    };
    this.dir = this.#makeFolder();
    await this.startHome();
  }

  /** `isKept`: what the processes have left stays on the disk. */
  async close(isKept: boolean): Promise<void> {
    this.#isClosed = true;
    await this.home?.signal('SIGKILL');
    for (const node of this.#nodes) await node.signal('SIGKILL');
    this.board.close();
    this.carrier.close();
    if (!isKept) rmSync(this.root, { recursive: true, force: true });
  }

  /** Starts the home in its folder until it serves; some starts are killed. */
  async startHome(): Promise<void> {
    for (let killed = 0; !this.#isClosed; ) {
      this.starts += 1;
      const home = await this.#launch();
      this.home = home;
      if (
        this.starts > 1 &&
        killed < MOST_KILLED_STARTS &&
        this.#options.chance() < KILLED_STARTS
      ) {
        await pause(this.#options.chance() * LATEST_KILL_MS);
        if (home.isUp) {
          killed += 1;
          this.killedStarts += 1;
          await home.signal('SIGKILL');
          continue;
        }
      }
      try {
        this.address = await home.url;
        void home.ended.then((code) => {
          if (this.home === home && !home.isSignalled) this.#options.onEnd(code);
        });
        return;
      } catch {
        // A node or the database may have been killed meanwhile.
        await pause(AGAIN_MS);
      }
    }
  }

  async killHome(): Promise<void> {
    this.address = null;
    await this.home?.signal('SIGKILL');
  }

  /** The home continues in a new folder, or in one where it was before. */
  move(to: 'new' | 'earlier'): void {
    const dir = to === 'earlier' ? this.#left.shift() : undefined;
    this.#left.push(this.dir);
    this.dir = dir ?? this.#makeFolder();
    const old = this.#left.splice(0, Math.max(0, this.#left.length - MOST_FOLDERS));
    for (const folder of old) rmSync(folder, { recursive: true, force: true });
  }

  async killNode(): Promise<void> {
    const [node] = this.#nodes.splice(0, 1);
    if (node === undefined) return;
    this.board.remove(await node.url);
    await node.signal('SIGKILL');
    await this.#startNode();
  }

  /** One process of PostgreSQL is killed: it ends all others and recovers. */
  async crashDatabase(): Promise<void> {
    const pids = await tryPatiently(async () => {
      const { sql, close } = await openPatiently(this.databaseUrl);
      const rows = await sql`
        select pid from pg_stat_activity
        where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`;
      await close();
      return rows.map(({ pid }) => Number(pid));
    });
    const pid = pids[Math.floor(this.#options.chance() * pids.length)];
    if (pid === undefined) return;
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended meanwhile.
    }
  }

  #makeFolder(): string {
    this.#folders += 1;
    const dir = join(this.root, `home-${this.#folders}`);
    mkdirSync(dir, { mode: 0o700 });
    return dir;
  }

  async #startNode(): Promise<void> {
    const program = await findTestProgram('test/crash/homes/nodeProgram.ts');
    const node = await tryPatiently(async () => {
      const started = new Served(program, [this.databaseUrl, '0', String(WINDOW_MS)]);
      await started.url;
      return started;
    });
    this.#nodes.push(node);
    this.board.add(await node.url);
  }

  async #launch(): Promise<Served> {
    const program = await findTestProgram('test/crash/homes/homeProgram.ts');
    return new Served(program, [JSON.stringify({ ...this.#task, dir: this.dir })]);
  }
}
