import { silentLog } from '../../../src/base/system/log/log.ts';
import { EntryIntake } from '../../../src/cloud/homes/entryIntake.ts';
import type { SocketLog } from '../../../src/cloudLink/homes/socketLog.ts';
import type { Frame } from '../../../src/contract/channel/frames.ts';
import type { Chance } from '../chance.ts';
import { type LogTable, openLogDatabase } from './logTable.ts';
import type { VirtualTime } from './virtualTime.ts';

/** Slowest way of a frame, ms. */
const WAY_MS = 80;
/** How long a node may take to see that a connection is cut, ms. */
const NOTICE_MS = 400;

/** What the end of a connection at the runner takes. */
interface RunnerEnd {
  log: SocketLog;
  /** Runs now, or when the process is not stopped any more. */
  deliver(run: () => void): void;
  onCut(): void;
  onBeat(n: number): void;
}

/** One socket between a process and a node: in order, slow, and cut at any time with all that is on its way. */
export class HomeConnection {
  readonly #time: VirtualTime;
  readonly #chance: Chance;
  readonly #table: LogTable;
  readonly #end: RunnerEnd;
  readonly #intake: EntryIntake;
  #isOpen = true;
  #toNodeMs = 0;
  #toRunnerMs = 0;
  readonly #hear: () => boolean;

  constructor(
    parts: { time: VirtualTime; chance: Chance; table: LogTable; hear(): boolean },
    end: RunnerEnd,
  ) {
    const { time, chance, table } = parts;
    [this.#time, this.#chance, this.#table, this.#end] = [time, chance, table, end];
    this.#hear = parts.hear;
    const database = openLogDatabase(table, time, chance);
    const context = Object.assign(Object.create(null), {
      database,
      clock: time,
      log: silentLog,
      observer: { noteCommit: () => undefined },
    });
    this.#intake = new EntryIntake({
      context,
      runnerId: 'runner',
      place: table.head,
      socket: {
        send: (frame) => this.#toRunner(() => this.#take(frame)),
        isOpen: () => this.#isOpen,
        pause: () => undefined,
        resume: () => undefined,
      },
    });
    const welcomed = { generation: table.generation, head: table.head.n, hash: table.head.hash };
    this.#toRunner(() => end.log.attach(this.#socket, welcomed));
  }

  readonly #socket = {
    send: (frame: Frame) => {
      if (frame.type !== 'commit' && frame.type !== 'commitPart') return;
      const received = { ...frame, body: Uint8Array.from(frame.body ?? []) };
      this.#toNode(() => this.#intake.take(received));
    },
    hasRoom: async () => this.#isOpen,
    abandon: () => this.cut(),
  };

  /** A sign of life; it is answered. */
  beat(n: number): void {
    this.#toNode(() => {
      // A session that is lost is closed before another process can claim.
      if (!this.#hear()) return this.cut();
      this.#toRunner(() => this.#end.onBeat(n));
    });
  }

  /** The runner sees it at once, the node later: what it has received is stored meanwhile. */
  cut(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#time.after(this.#chance.wait(0, NOTICE_MS), () => this.#intake.close());
    this.#end.log.detach(this.#socket);
    this.#end.onCut();
  }

  #take(frame: Frame<'committed' | 'refused'>): void {
    const { log } = this.#end;
    if (frame.type === 'committed') log.takeCommitted(frame);
    else log.takeRefused(this.#socket, frame);
  }

  #toNode(arrive: () => void): void {
    this.#toNodeMs = Math.max(this.#toNodeMs, this.#time.now() + this.#chance.wait(0, WAY_MS));
    this.#time.at(this.#toNodeMs, () => {
      if (this.#isOpen) arrive();
    });
  }

  #toRunner(arrive: () => void): void {
    this.#toRunnerMs = Math.max(this.#toRunnerMs, this.#time.now() + this.#chance.wait(0, WAY_MS));
    this.#time.at(this.#toRunnerMs, () =>
      this.#end.deliver(() => {
        if (this.#isOpen) arrive();
      }),
    );
  }
}
