import { CHAIN_START } from '../../base/system/homes/chainEntryHash.ts';
import type { Frame } from '../../contract/channel/frames.ts';
import { MAX_PART_BYTES } from '../../contract/channel/limits.ts';
import type { JobSummary } from '../../contract/schema/job/job.ts';
import type {
  ChangedActor,
  HomeLog,
  LogEntry,
  LogPosition,
} from '../../kernel/sqlite/log/homeLog.ts';

/** One socket, as far as the log uses it. */
export interface LogSocket {
  send(frame: Frame): void;
  /** Waits until a part fits; false = the socket is closed. */
  hasRoom(): Promise<boolean>;
  /** Closes it as one that cannot be used; the link opens another one. */
  abandon(reason: string): void;
}

/** Where the control plane is in the log, as it says in its welcome. */
export type WelcomedHome = Pick<
  NonNullable<Frame<'welcome'>['home']>,
  'generation' | 'head' | 'hash' | 'takesRows'
>;

/** Why the log cannot be continued; a person or another runner has to act. */
export type LogEnd =
  | { why: 'fenced'; holder: string | null }
  /** The control plane has another history: it was restored to the past, or this file was. */
  | { why: 'diverged'; detail: string };

export interface SocketLogOptions {
  generation: number;
  /** Of the file. */
  position: LogPosition;
  /** What the control plane has; the entries after it are sent first. */
  acknowledged: LogPosition;
  /** Entries between them, in order. */
  outgoing: readonly LogEntry[];
  /** Once. Nothing is acknowledged afterwards. */
  onEnd(end: LogEnd): void;
  /** Called after each acknowledgement, with the number and the bytes of the entries that it is about. */
  onAcknowledged?(entries: number, bytes: number): void;
  /** Rows of the team's list for what an entry has changed, as they are now; null = they cannot be read. Never throws. */
  readRows?(changed: readonly ChangedActor[]): JobSummary[] | null;
}

interface Waiting {
  entry: LogEntry;
  /** Rows of the list that travel with it; null = they come later, as any change of the list. */
  rows: JobSummary[] | null;
  resolve(): void;
}

/**
 * The log of a home over the sockets of its link: sends entries in their order, on each new socket those that the
 * control plane does not have, and resolves when it has them. Never rejects: with a log that has ended nothing resolves
 * any more, and the runner ends.
 */
export class SocketLog implements HomeLog {
  readonly generation: number;
  readonly #options: SocketLogOptions;
  /** Not acknowledged, by number. */
  readonly #waiting = new Map<number, Waiting>();
  #bytes = 0;
  #head: LogPosition;
  #known: LogPosition;
  #socket: LogSocket | null = null;
  /** The last entry that was sent on this socket. */
  #sent = 0;
  /** Whether the socket's control plane takes rows with entries. */
  #takesRows = false;
  #wake: () => void = () => undefined;
  #end: LogEnd | null = null;
  readonly #watchers = new Set<() => void>();

  constructor(options: SocketLogOptions) {
    this.#options = options;
    this.generation = options.generation;
    this.#head = options.acknowledged;
    this.#known = options.acknowledged;
    for (const entry of options.outgoing) void this.send(entry);
    if (this.#head.n !== options.position.n || this.#head.hash !== options.position.hash)
      throw new Error('The entries that wait do not lead to the position of the file.');
  }

  get head(): number {
    return this.#head.n;
  }

  get acknowledged(): number {
    return this.#known.n;
  }

  /** For the hello of a socket. */
  get position(): NonNullable<Frame<'hello'>['home']> {
    return { generation: this.generation, ...this.#head };
  }

  /** What the control plane does not have yet. */
  get unsent(): { entries: number; bytes: number } {
    return { entries: this.#waiting.size, bytes: this.#bytes };
  }

  /** null = it continues. */
  get end(): LogEnd | null {
    return this.#end;
  }

  send(entry: LogEntry, changed?: readonly ChangedActor[]): Promise<undefined> {
    if (entry.n !== this.#head.n + 1)
      throw new Error(`Entry ${entry.n} came after ${this.#head.n}.`);
    this.#head = { n: entry.n, hash: entry.hash };
    this.#bytes += entry.body.length;
    // Now, since later entries change what is read.
    const rows = (changed && this.#options.readRows?.(changed)) ?? null;
    return new Promise((resolve) => {
      this.#waiting.set(entry.n, { entry, rows, resolve: () => resolve(undefined) });
      this.#wake();
    });
  }

  /** Resolves when the control plane has everything up to `n`; false = the signal came first. */
  async waitFor(n: number, signal: AbortSignal): Promise<boolean> {
    while (this.#known.n < n && !signal.aborted)
      await new Promise<void>((resolve) => {
        const go = (): void => {
          this.#watchers.delete(go);
          signal.removeEventListener('abort', go);
          resolve();
        };
        this.#watchers.add(go);
        signal.addEventListener('abort', go, { once: true });
      });
    return this.#known.n >= n;
  }

  /** Begins on a new socket, after what the control plane has. `home`: null = it has no log of the home. */
  attach(socket: LogSocket, home: WelcomedHome | null): void {
    this.#leaveSocket();
    if (this.#end !== null) return;
    const end = this.#findEnd(home);
    if (end !== null || home === null) {
      if (end !== null) this.#finish(end);
      return;
    }
    this.#acknowledge(home.head);
    this.#socket = socket;
    this.#sent = home.head;
    this.#takesRows = home.takesRows === true;
    void this.#pump(socket);
  }

  /** The socket is gone. */
  detach(socket: LogSocket): void {
    if (socket === this.#socket) this.#leaveSocket();
  }

  /** Another runner has the home. */
  fence(): void {
    this.#finish({ why: 'fenced', holder: null });
  }

  #leaveSocket(): void {
    this.#socket = null;
    this.#wake();
  }

  /** The control plane has everything up to `n`. What an older socket says counts as well. */
  takeCommitted({ n }: Pick<Frame<'committed'>, 'n'>): void {
    if (n > this.#head.n) throw new Error(`Entry ${n} was acknowledged, and does not exist.`);
    if (this.#end === null) this.#acknowledge(n);
  }

  takeRefused(
    socket: LogSocket,
    { reason, generation, holder }: Pick<Frame<'refused'>, 'reason' | 'generation' | 'holder'>,
  ): void {
    if (reason === 'fenced' && generation > this.generation)
      this.#finish({ why: 'fenced', holder: holder ?? null });
    // The next welcome says from where to continue.
    else if (socket === this.#socket) socket.abandon(`An entry was refused: ${reason}.`);
  }

  #findEnd(home: WelcomedHome | null): LogEnd | null {
    const diverge = (detail: string): LogEnd => ({ why: 'diverged', detail });
    if (home === null) return diverge('it has no log of this home any more');
    const { generation, head: n, hash } = home;
    if (generation > this.generation) return { why: 'fenced', holder: null };
    const { n: knownPosition, hash: knownHash } = this.#known;
    if (generation < this.generation)
      return diverge(`its claim is number ${generation}, and this runner's ${this.generation}`);
    if (n < knownPosition)
      return diverge(`it ends at entry ${n}, and had acknowledged ${knownPosition}`);
    if (n > this.#head.n) return diverge(`it has entry ${n}, and this home ends at ${this.head}`);
    const own = n === knownPosition ? knownHash : (this.#waiting.get(n)?.entry.hash ?? CHAIN_START);
    return own === hash ? null : diverge(`its entry ${n} is another one`);
  }

  #finish(end: LogEnd): void {
    if (this.#end !== null) return;
    this.#end = end;
    this.#leaveSocket();
    this.#options.onEnd(end);
  }

  #acknowledge(n: number): void {
    let entries = 0;
    let bytes = 0;
    for (const [number, { entry, resolve }] of this.#waiting) {
      if (number > n) break;
      this.#waiting.delete(number);
      this.#known = { n: number, hash: entry.hash };
      entries += 1;
      bytes += entry.body.length;
      resolve();
    }
    this.#bytes -= bytes;
    if (entries === 0) return;
    for (const watcher of [...this.#watchers]) watcher();
    this.#options.onAcknowledged?.(entries, bytes);
  }

  async #pump(socket: LogSocket): Promise<void> {
    const isCurrent = (): boolean => this.#socket === socket;
    while (isCurrent()) {
      // An older socket may have brought an acknowledgement meanwhile.
      this.#sent = Math.max(this.#sent, this.#known.n);
      const next = this.#waiting.get(this.#sent + 1);
      if (next === undefined) {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      } else {
        const { entry, rows } = next;
        if (!(await sendEntry(socket, entry, this.#takesRows ? rows : null, isCurrent))) return;
        this.#sent = entry.n;
      }
    }
  }
}

/** Sends an entry, which has parts above 64 KiB, as the socket takes them. false = it is not used any more. */
async function sendEntry(
  socket: LogSocket,
  { n, generation, hash, body }: LogEntry,
  rows: JobSummary[] | null,
  isCurrent: () => boolean,
): Promise<boolean> {
  const size = body.length;
  for (let from = 0; from === 0 || from < size; from += MAX_PART_BYTES) {
    if (!(await socket.hasRoom()) || !isCurrent()) return false;
    const part = body.subarray(from, from + MAX_PART_BYTES);
    if (from === 0) {
      const jobRows = rows === null ? {} : { jobs: rows };
      socket.send({ type: 'commit', n, generation, hash, size, ...jobRows, body: part });
    } else {
      const isEnd = from + MAX_PART_BYTES >= size;
      socket.send({ type: 'commitPart', n, ...(isEnd ? { end: true } : {}), body: part });
    }
  }
  return true;
}
