import { chainEntryHash } from '../../../src/base/system/homes/chainEntryHash.ts';
import { Lease, type LeaseMark } from '../../../src/cloudLink/homes/lease.ts';
import { SocketLog } from '../../../src/cloudLink/homes/socketLog.ts';
import type { LogEntry, LogPosition } from '../../../src/kernel/sqlite/log/homeLog.ts';
import type { Chance } from '../chance.ts';
import { HomeConnection } from './homeNode.ts';
import type { HomeSabotage, LogTable } from './logTable.ts';
import type { VirtualTime } from './virtualTime.ts';

export const WINDOW_MS = 2_000;
const BEAT_MS = 400;
const RECONNECT_MS = 300;
/** Groups of commands that wait for the log at most. */
const MOST_GROUPS = 2;

/** The folder of a home: what a kill leaves. */
export interface HomeFolder {
  generation: number;
  position: LogPosition;
  /** Every entry up to the position. */
  entries: LogEntry[];
  /** Number of the newest entry that is known to be acknowledged. */
  acknowledged: number;
}

export const readCommands = ({ body }: Pick<LogEntry, 'body'>): string[] =>
  JSON.parse(Buffer.from(body).toString());

export interface Acknowledgement {
  command: string;
  n: number;
  generation: number;
  begunMs: number;
}

export interface Act {
  generation: number;
  atMs: number;
  /** What the process had made by then. */
  n: number;
  /** What the table had. */
  stored: number;
}

interface ProcessParts {
  time: VirtualTime;
  chance: Chance;
  table: LogTable;
  folder: HomeFolder;
  sabotage: HomeSabotage | null;
  /** Whether the claim is the newest one still. */
  hear(): boolean;
  onAcknowledged(one: Acknowledgement): void;
  onAct(act: Act): void;
  /** It was overtaken, or its history is another one. */
  onEnd(why: string): void;
}

/** One process of a home that has claimed it: takes commands, commits them to its folder and the log, and acts. */
export class HomeProcess {
  readonly #parts: ProcessParts;
  readonly #log: SocketLog;
  readonly #lease: Lease;
  readonly #sentBeats = new Map<number, LeaseMark>();
  readonly #queue: string[] = [];
  readonly #known: Set<string>;
  #connection: HomeConnection | null = null;
  #groups = 0;
  #beats = 0;
  #isDead = false;
  /** Until when nothing of it runs, ms. */
  #stoppedUntilMs = 0;

  constructor(parts: ProcessParts) {
    this.#parts = parts;
    const { time, folder } = parts;
    this.#lease = new Lease({ boot: () => time.now(), monotonic: () => time.now() });
    this.#known = new Set(folder.entries.flatMap(readCommands));
    const acknowledged = folder.entries[folder.acknowledged - 1];
    this.#log = new SocketLog({
      generation: folder.generation,
      position: folder.position,
      acknowledged: acknowledged ?? { n: 0, hash: '0'.repeat(64) },
      outgoing: folder.entries.slice(folder.acknowledged),
      onEnd: (end) => {
        this.kill();
        parts.onEnd(end.why);
      },
    });
    this.#connect();
    this.#beat();
  }

  get isStopped(): boolean {
    return this.#parts.time.now() < this.#stoppedUntilMs;
  }

  /** A command that it has already is acknowledged like a new one, once all before it is. */
  submit(command: string): void {
    this.#deliver(() => {
      this.#queue.push(command);
      this.#write();
    });
  }

  /** As SIGSTOP, until then. */
  stopUntil(atMs: number): void {
    this.#stoppedUntilMs = atMs;
  }

  kill(): void {
    if (this.#isDead) return;
    this.#isDead = true;
    this.#connection?.cut();
  }

  cut(): void {
    this.#connection?.cut();
  }

  /** Acts on the world as soon as it may: everything that was made is acknowledged, and the lease lasts. */
  act(): void {
    this.#deliver(async () => {
      const n = this.#log.head;
      if (!(await this.#log.waitFor(n, new AbortController().signal))) return;
      this.#deliver(() => {
        const { sabotage, table, time, folder, onAct } = this.#parts;
        if (!this.#lease.isHeld && sabotage !== 'lease') return;
        onAct({ generation: folder.generation, atMs: time.now(), n, stored: table.head.n });
      });
    });
  }

  #deliver(run: () => void): void {
    const { time } = this.#parts;
    if (this.#isDead) return;
    if (this.isStopped) time.at(this.#stoppedUntilMs, () => this.#deliver(run));
    else run();
  }

  #write(): void {
    if (this.#groups === MOST_GROUPS || this.#queue.length === 0) return;
    const { folder, time, onAcknowledged } = this.#parts;
    const commands = this.#queue.splice(0);
    const fresh = [...new Set(commands)].filter((command) => !this.#known.has(command));
    for (const command of fresh) this.#known.add(command);
    const body = Uint8Array.from(Buffer.from(JSON.stringify(fresh)));
    const link = { n: folder.position.n + 1, generation: folder.generation, body };
    const entry = { ...link, hash: chainEntryHash(folder.position.hash, link) };
    folder.entries.push(entry);
    folder.position = { n: entry.n, hash: entry.hash };
    this.#groups += 1;
    const begunMs = time.now();
    void this.#log.send(entry).then(() => {
      this.#groups -= 1;
      folder.acknowledged = Math.max(folder.acknowledged, entry.n);
      for (const command of commands)
        onAcknowledged({ command, n: entry.n, generation: entry.generation, begunMs });
      this.#deliver(() => this.#write());
    });
  }

  #connect(): void {
    const { time, chance, table, hear } = this.#parts;
    if (this.#isDead) return;
    this.#connection = new HomeConnection(
      { time, chance, table, hear },
      {
        log: this.#log,
        deliver: (run) => this.#deliver(run),
        onCut: () =>
          time.after(chance.wait(10, RECONNECT_MS), () => this.#deliver(() => this.#connect())),
        onBeat: (n) => {
          const mark = this.#sentBeats.get(n);
          if (mark !== undefined) this.#lease.renew(mark, WINDOW_MS);
        },
      },
    );
  }

  #beat(): void {
    this.#deliver(() => {
      this.#beats += 1;
      this.#sentBeats.set(this.#beats, this.#lease.mark());
      this.#connection?.beat(this.#beats);
      this.#parts.time.after(BEAT_MS, () => this.#beat());
    });
  }
}
