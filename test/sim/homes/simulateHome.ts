import { CHAIN_START, chainEntryHash } from '../../../src/base/system/homes/chainEntryHash.ts';
import { planStart } from '../../../src/host/start/homes/planStart.ts';
import { Chance } from '../chance.ts';
import {
  type Acknowledgement,
  type Act,
  type HomeFolder,
  HomeProcess,
  readCommands,
  WINDOW_MS,
} from './homeProcess.ts';
import { type HomeSabotage, LogTable } from './logTable.ts';
import { VirtualTime } from './virtualTime.ts';

const LENGTH_MS = 20_000;
/** After the last fault, until everything that was sent is acknowledged, ms. */
const CALM_MS = 20_000;
const COMMAND_MS = 40;
const FAULT_MS = 700;
const AGAIN_MS = 500;

interface SimulatedHome {
  problems: string[];
  counts: { entries: number; claims: number; acts: number; acknowledged: number; faults: number };
}

const createFolder = (): HomeFolder => ({
  generation: 0,
  position: { n: 0, hash: CHAIN_START },
  entries: [],
  acknowledged: 0,
});

/**
 * One home, its log and its nodes on a virtual clock: processes are killed, stopped and overtaken, connections cut, and
 * statements lost before or after they ran. `seed` names the run.
 */
export async function simulateHome(
  seed: number,
  sabotage: HomeSabotage | null = null,
): Promise<SimulatedHome> {
  const run = new HomeRun(seed, sabotage);
  return run.play();
}

class HomeRun {
  readonly #time = new VirtualTime();
  readonly #chance: Chance;
  readonly #sabotage: HomeSabotage | null;
  readonly #table: LogTable;
  readonly #acknowledged: Acknowledgement[] = [];
  readonly #acts: Act[] = [];
  readonly #open = new Set<string>();
  readonly #problems: string[] = [];
  #folder = createFolder();
  /** Of processes that were killed elsewhere, the oldest first. */
  readonly #left: HomeFolder[] = [];
  #process: HomeProcess | null = null;
  #heardMs = 0;
  #faults = 0;
  #commands = 0;
  #isStarting = false;

  constructor(seed: number, sabotage: HomeSabotage | null) {
    this.#chance = new Chance(`home ${seed}`);
    this.#sabotage = sabotage;
    this.#table = new LogTable(sabotage);
  }

  async play(): Promise<SimulatedHome> {
    this.#start(this.#folder, false);
    this.#command();
    this.#fault();
    this.#act();
    await this.#time.runUntil(LENGTH_MS + CALM_MS);
    this.#process?.kill();
    this.#check();
    return {
      problems: this.#problems,
      counts: {
        entries: this.#table.rows.length,
        claims: this.#table.claims.length,
        acts: this.#acts.length,
        acknowledged: this.#acknowledged.length,
        faults: this.#faults,
      },
    };
  }

  /** A process may still act for the home. */
  get #isHeard(): boolean {
    return this.#time.now() < this.#heardMs + WINDOW_MS;
  }

  get #isCalm(): boolean {
    return this.#time.now() > LENGTH_MS;
  }

  /** A client: each command is sent again until it is acknowledged. */
  #command(): void {
    if (this.#isCalm) return;
    this.#commands += 1;
    const command = `c${this.#commands}`;
    this.#open.add(command);
    const send = (): void => {
      if (!this.#open.has(command)) return;
      this.#process?.submit(command);
      this.#time.after(AGAIN_MS, send);
    };
    send();
    this.#time.after(this.#chance.wait(1, COMMAND_MS * 4), () => this.#command());
  }

  #act(): void {
    if (this.#isCalm) return;
    this.#process?.act();
    this.#time.after(this.#chance.wait(20, 200), () => this.#act());
  }

  #fault(): void {
    if (this.#isCalm) return;
    this.#faults += 1;
    const process = this.#process;
    const kind = this.#chance.pick([
      'restart',
      'takeover',
      'back',
      'frozen',
      'cut',
      'cut',
    ] as const);
    if (process !== null && kind === 'cut') process.cut();
    else if (process !== null && kind === 'frozen') {
      process.stopUntil(this.#time.now() + this.#chance.int(1_000, 4 * WINDOW_MS));
      this.#start(createFolder(), true);
    } else if (process !== null) {
      process.kill();
      this.#process = null;
      const own = this.#folder;
      const earlier = kind === 'back' ? this.#left.shift() : undefined;
      if (kind !== 'restart') this.#left.push(own);
      this.#start(kind === 'restart' ? own : (earlier ?? createFolder()), kind !== 'restart');
    }
    this.#time.after(this.#chance.wait(50, FAULT_MS * 4), () => this.#fault());
  }

  /** The one way in which a home starts: takes what the log has, and claims. `isElsewhere`: on another machine. */
  #start(folder: HomeFolder, isElsewhere: boolean): void {
    if (this.#isStarting) return;
    this.#isStarting = true;
    const before = this.#process;
    const again = (): void => {
      this.#time.after(this.#chance.int(20, 200), attempt);
    };
    const attempt = (): void => {
      // The one that was stopped continues, and was not overtaken yet.
      if (isElsewhere && before !== null && !before.isStopped && this.#process === before) {
        this.#isStarting = false;
        return;
      }
      if (isElsewhere && this.#isHeard) {
        again();
        return;
      }
      const built = this.#bringUp(folder);
      const head = this.#table.head;
      this.#time.after(this.#chance.wait(0, 150), () => {
        const isHeard = isElsewhere && this.#isHeard;
        const generation = isHeard ? null : this.#table.claim(head, this.#time.now());
        if (generation === null) {
          again();
          return;
        }
        this.#isStarting = false;
        this.#run(this.#renew(built, generation));
      });
    };
    attempt();
  }

  /** The folder with everything that the log has. */
  #bringUp(folder: HomeFolder): HomeFolder {
    const { rows, head, generation } = this.#table;
    const { position, entries, acknowledged } = folder;
    const standing = {
      storeVersion: 1,
      generation: folder.generation,
      position,
      outgoing: entries.slice(acknowledged),
    };
    const home = { generation, head: head.n, hash: head.hash, storeVersion: 1, entriesAfter: 0 };
    const plan = planStart(standing, { ...home, checkpoint: null });
    if (plan.act === 'keep') return { ...folder, acknowledged: head.n };
    if (plan.act === 'diverged') this.#problems.push(`a folder diverged: ${plan.detail}`);
    // What does not fit is refused by the replay: the rest of the file was overtaken.
    return { ...createFolder(), entries: [...rows], position: head, acknowledged: head.n };
  }

  /** What waits is made again under the new claim. */
  #renew(folder: HomeFolder, generation: number): HomeFolder {
    const { head } = this.#table;
    const entries = folder.entries.slice(0, head.n);
    let position = head;
    for (const { n, body } of folder.entries.slice(head.n)) {
      const link = { n, generation, body };
      const entry = { ...link, hash: chainEntryHash(position.hash, link) };
      entries.push(entry);
      position = { n, hash: entry.hash };
    }
    return { generation, position, entries, acknowledged: head.n };
  }

  #run(folder: HomeFolder): void {
    this.#folder = folder;
    this.#heardMs = this.#time.now();
    const { generation } = folder;
    this.#process = new HomeProcess({
      time: this.#time,
      chance: this.#chance,
      table: this.#table,
      folder,
      sabotage: this.#sabotage,
      hear: () => {
        const isNewest = generation === this.#table.generation;
        if (isNewest) this.#heardMs = this.#time.now();
        return isNewest;
      },
      onAcknowledged: (one) => {
        this.#acknowledged.push(one);
        this.#open.delete(one.command);
      },
      onAct: (act) => this.#acts.push(act),
      onEnd: (why) => {
        if (why !== 'fenced' || generation === this.#table.generation)
          this.#problems.push(`claim ${generation} ended by itself: ${why}`);
      },
    });
  }

  #check(): void {
    const { rows, claims } = this.#table;
    const problems = this.#problems;
    problems.push(...this.#table.findProblems());
    const places = new Map<string, number>();
    for (const row of rows)
      for (const command of readCommands(row)) {
        if (places.has(command)) problems.push(`${command} is in the log twice`);
        places.set(command, row.n);
      }
    for (const { command, n, generation, begunMs } of this.#acknowledged) {
      const at = places.get(command);
      if (at === undefined || at > n) problems.push(`${command} was acknowledged and is lost`);
      if (claims.some((claim) => claim.generation > generation && claim.atMs < begunMs))
        problems.push(`${command} was begun after a later claim, and acknowledged`);
    }
    for (const { generation, atMs, n, stored } of this.#acts) {
      if (claims.some((claim) => claim.generation > generation && claim.atMs <= atMs))
        problems.push(`claim ${generation} acted after a later one`);
      if (stored < n) problems.push(`claim ${generation} acted before entry ${n} was stored`);
    }
    if (this.#open.size > 0) problems.push(`${this.#open.size} commands were never acknowledged`);
    const own = this.#folder.entries.map(({ hash }) => hash).join();
    if (own !== rows.map(({ hash }) => hash).join()) problems.push('folder and log differ');
  }
}
