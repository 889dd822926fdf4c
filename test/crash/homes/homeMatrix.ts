import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { findTestProgram } from '../../support/findTestProgram.ts';
import { createTestDatabase } from '../../support/cloud/openTestDatabase.ts';
import { pairHome, seedTeams, waitUntil } from '../../support/cloud/testTeam.ts';
import { compareStates, readClosedState } from '../../support/log/compareStates.ts';
import { Carrier } from './carrier.ts';
import { checkHistory, type HistoryLine } from './checkHistory.ts';
import type { HomeTask } from './homeTask.ts';
import { openPatiently } from './openPatiently.ts';
import { findOrderProblems, Orders, type StoredOrder } from './orders.ts';
import { Served } from './served.ts';
import { findLogProblems, hasUnsentEntries, readStoredLog } from './readHomeRows.ts';

const WINDOW_MS = 1_500;
/** How long a process that is to die may live on after the last answer, ms. */
const LATE_MS = 20_000;

/** How a home continues after its process has died. */
export type Continuation = 'restart' | 'takeover';

export interface HomePlay {
  /** The process died at the point. */
  isKilled: boolean;
  /** What the orders are in the end, without times. */
  outcome: unknown;
  problems: string[];
}

/** A control plane, and homes that play the same orders and die at one point each. */
export class HomeMatrix {
  readonly #root = mkdtempSync(join(tmpdir(), 'svc-home-matrix-'));
  readonly #carrier = new Carrier();
  #databaseUrl = '';
  #node: Served | null = null;
  #carrierUrl = '';
  #plays = 0;

  async open(): Promise<void> {
    this.#databaseUrl = await createTestDatabase();
    const { sql, close } = await openPatiently(this.#databaseUrl);
    const [row] = await sql`select current_database() as name`;
    await sql.unsafe(`alter database ${row?.name} set synchronous_commit = on`);
    await close();
    await seedTeams(this.#databaseUrl);
    this.#carrierUrl = await this.#carrier.open();
    const program = await findTestProgram('test/crash/homes/nodeProgram.ts');
    this.#node = new Served(program, [this.#databaseUrl, '0', String(WINDOW_MS)]);
    await this.#node.url;
  }

  async close(): Promise<void> {
    await this.#node?.signal('SIGKILL');
    this.#carrier.close();
    rmSync(this.#root, { recursive: true, force: true });
  }

  /** Two orders in sequence, and the archive of the first; without `dieAt` nothing dies. */
  async play(dieAt?: HomeTask['dieAt'], how: Continuation = 'restart'): Promise<HomePlay> {
    this.#plays += 1;
    const homeId = `home-${this.#plays}`;
    const task = await this.#pair(homeId);
    let dir = this.#makeFolder(`${homeId}-1`);
    let home = await this.#launch({ ...task, dir, ...(dieAt && { dieAt }) });
    let address: string | null = null;
    let isKilled = false;
    const orders = new Orders(() => address);
    const names = ['a', 'b'].map((name) => `${homeId}-${name}`);
    const working = (async () => {
      for (const name of names) await orders.order(name);
      await orders.ask('/archive', { order: names[0] });
    })();
    const serve = async (): Promise<void> => {
      address = await home.url.catch(() => null);
    };
    await serve();
    const isDone = working.then(async () => {
      // A copy of the state may be on its way when everything has been answered.
      if (dieAt) await Promise.race([home.ended, setTimeout(LATE_MS, null, { ref: false })]);
      return 'done' as const;
    });
    if ((await Promise.race([isDone, home.ended])) !== 'done') {
      isKilled = true;
      address = null;
      if (how === 'takeover') dir = this.#makeFolder(`${homeId}-2`);
      home = await this.#launch({ ...task, dir });
      await serve();
      if (address === null) throw new Error(`${homeId} does not start again`);
      await working;
    }
    const { outcome, problems } = await this.#check(orders, homeId, names);
    await home.signal('SIGTERM');
    while (await hasUnsentEntries(join(dir, 'state.db'), this.#databaseUrl, homeId)) {
      home = await this.#launch({ ...task, dir });
      await home.url;
      await home.signal('SIGTERM');
    }
    const built = this.#makeFolder(`${homeId}-built`);
    const other = await this.#launch({ ...task, dir: built });
    await other.url;
    await other.signal('SIGTERM');
    const { differences } = readClosedState(join(dir, 'state.db'), (one) =>
      readClosedState(join(built, 'state.db'), (two) => compareStates(one, two)),
    );
    const log = await readStoredLog(this.#databaseUrl, homeId);
    const history = readFileSync(task.history, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as HistoryLine);
    problems.push(...differences, ...findLogProblems(log), ...checkHistory(history, log));
    return { isKilled, outcome, problems };
  }

  #makeFolder(name: string): string {
    const dir = join(this.#root, name);
    mkdirSync(dir, { mode: 0o700 });
    return dir;
  }

  async #pair(homeId: string): Promise<Omit<HomeTask, 'dir'>> {
    const url = await this.#node?.url;
    if (url === undefined) throw new Error('the matrix is not open');
    const node = { url, ask: (path: string, init?: RequestInit) => fetch(`${url}${path}`, init) };
    const who = { homeId, name: homeId, pool: true, userId: 'adm' };
    const { body } = await pairHome(node as Parameters<typeof pairHome>[0], who);
    return {
      url,
      carrier: this.#carrierUrl,
      token: body.token,
      homeId,
      history: join(this.#root, `${homeId}.history`),
      checker: { file: await findTestProgram('src/host/start/checkpointCopy.ts'), execArgv: [] },
    };
  }

  async #launch(task: HomeTask): Promise<Served> {
    return new Served(await findTestProgram('test/crash/homes/homeProgram.ts'), [
      JSON.stringify(task),
    ]);
  }

  async #check(
    orders: Orders,
    homeId: string,
    names: readonly string[],
  ): Promise<{ outcome: unknown; problems: string[] }> {
    let storedOrders: StoredOrder[] = [];
    const look = async (): Promise<string[]> => {
      storedOrders = await orders.read();
      return findOrderProblems(storedOrders, orders, this.#carrier.parcels);
    };
    await waitUntil(async () => (await look()).length === 0, 20_000).catch(() => undefined);
    const problems = await look();
    const outcome = {
      orders: storedOrders.map(({ id, state, journal }) => ({
        id: id.replace(homeId, 'home'),
        state,
        // Recovery takes numbers of its own; those that were acknowledged are checked by themselves.
        journal: journal.map(({ type }) => type),
      })),
      parcels: names.map((name) => this.#carrier.parcels.get(name)?.size ?? 0),
    };
    return { outcome, problems };
  }
}
