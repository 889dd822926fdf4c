import { SvcError } from '../../base/errors/errors.ts';
import { pause } from '../../base/time/pause.ts';
import type { ReceivedFrame } from '../../contract/channel/frames.ts';
import { COMMIT_BYTES_PER_SECOND, COMMITS_PER_SECOND } from '../../contract/channel/limits.ts';
import type { HomeLink, HomeSocket } from '../runners/homeLinks.ts';
import { pickListRows } from '../runners/readListRows.ts';
import type { ListedJobRow } from '../runners/runnerDirectory.ts';
import type { CloudContext } from '../server/cloudContext.ts';
import { noteAhead } from './noteAhead.ts';
import { Pace } from './pace.ts';
import {
  type ChainPlace,
  findBrokenEntry,
  isInParts,
  type ReceivedEntry,
  type StoredEntries,
  storeEntries,
} from './storeEntries.ts';

/** Most entries that are stored by one statement, and most bytes of them. */
export const MOST_JOINED = 64;
export const MOST_JOINED_BYTES = 4 * 1024 * 1024;
/** Bytes of whole entries of one socket that wait; above it nothing more is read from the socket. */
export const MOST_HELD_BYTES = 16 * 1024 * 1024;
const SECOND_MS = 1_000;
/** First and longest wait before entries whose outcome is not known are stored again, ms. */
const FIRST_RETRY_MS = 100;
const LONGEST_RETRY_MS = 2_000;

/** Classes of SQLSTATE: values that a column does not take. */
const REFUSED_DATA = /^(22|23)/;
const isRefusedData = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && REFUSED_DATA.test(String(error.code));

/** Bytes of an entry with its rows. */
const countBytes = ({ body, jobs = [] }: ReceivedEntry): number =>
  jobs.length === 0 ? body.length : body.length + Buffer.byteLength(JSON.stringify(jobs));

interface BegunEntry extends ReceivedFrame<'commit'> {
  parts: Uint8Array[];
  bytes: number;
}

export interface IntakeParts {
  context: Pick<CloudContext, 'database' | 'clock' | 'log' | 'observer'>;
  runnerId: string;
  /** The newest entry of the log when the runner was welcomed. */
  place: ChainPlace;
  socket: HomeSocket;
}

/** Takes the entries of one home from one socket, in order, and stores those that wait behind each other together. */
export class EntryIntake implements HomeLink {
  readonly #parts: IntakeParts;
  readonly #entryPace: Pace;
  readonly #bytePace: Pace;
  readonly #waiting: ReceivedEntry[] = [];
  #heldBytes = 0;
  #begun: BegunEntry | null = null;
  /** The newest entry that is known to be stored. */
  #place: ChainPlace;
  #isStoring = false;
  #isPaused = false;
  /** Entries were refused, or the socket is closed: no more is taken. */
  #isOver = false;

  constructor(parts: IntakeParts) {
    this.#parts = parts;
    this.#place = parts.place;
    this.#entryPace = new Pace(parts.context.clock, COMMITS_PER_SECOND);
    this.#bytePace = new Pace(parts.context.clock, COMMIT_BYTES_PER_SECOND);
  }

  take(frame: ReceivedFrame<'commit' | 'commitPart'>): void {
    if (this.#isOver) return;
    if (frame.type === 'commit') this.#begin(frame);
    else this.#continue(frame);
    if (this.#begun === null) void this.#storeAll();
  }

  close(): void {
    this.#isOver = true;
    this.#begun = null;
    this.#waiting.length = 0;
  }

  #begin(frame: ReceivedFrame<'commit'>): void {
    if (this.#begun !== null)
      throw new SvcError('malformed', 'An entry began before the one before it was complete.');
    this.#begun = { ...frame, parts: [], bytes: 0 };
    this.#add(frame.body, frame.size === frame.body.length);
  }

  #continue({ n, body, end = false }: ReceivedFrame<'commitPart'>): void {
    if (this.#begun?.n !== n)
      throw new SvcError('malformed', 'A part of an entry came out of order.');
    this.#add(body, end);
  }

  #add(body: Uint8Array, isEnd: boolean): void {
    const begunEntry = this.#begun;
    if (begunEntry === null) return;
    // A copy of small ones: what they are cut from would be held as long as they wait.
    begunEntry.parts.push(Uint8Array.from(body));
    begunEntry.bytes += body.length;
    if (begunEntry.bytes > begunEntry.size || (isEnd && begunEntry.bytes !== begunEntry.size))
      throw new SvcError(
        'malformed',
        'An entry does not have the size that it was announced with.',
      );
    if (!isEnd) return;
    const { n, generation, hash, parts, jobs } = begunEntry;
    this.#begun = null;
    const entry = { n, generation, hash, body: Buffer.concat(parts) };
    const waitingEntry = jobs === undefined ? entry : { ...entry, jobs: this.#readRows(n, jobs) };
    this.#waiting.push(waitingEntry);
    this.#heldBytes += countBytes(waitingEntry);
    if (this.#heldBytes > MOST_HELD_BYTES && !this.#isPaused) {
      this.#isPaused = true;
      this.#parts.socket.pause();
    }
  }

  #readRows(n: number, jobs: readonly unknown[]): ListedJobRow[] {
    const rows = pickListRows(jobs);
    const { context, runnerId } = this.#parts;
    if (rows.length < jobs.length)
      context.log.warn(
        { runner: runnerId, n, leftOut: jobs.length - rows.length },
        'rows of an entry are not valid and were left out',
      );
    return rows;
  }

  async #storeAll(): Promise<void> {
    if (this.#isStoring) return;
    this.#isStoring = true;
    try {
      for (let next = this.#takeJoined(); next.length > 0; next = this.#takeJoined())
        await this.#store(next);
    } finally {
      this.#isStoring = false;
    }
  }

  /** Entries of one generation that one statement stores, the oldest first. */
  #takeJoined(): ReceivedEntry[] {
    const [first] = this.#waiting;
    if (first === undefined || this.#isOver) return [];
    let bytes = 0;
    const end = this.#waiting.findIndex((entry, index) => {
      bytes += entry.body.length;
      return (
        index >= MOST_JOINED ||
        entry.n !== first.n + index ||
        entry.generation !== first.generation ||
        (index > 0 && (isInParts(first) || bytes > MOST_JOINED_BYTES || isInParts(entry))) ||
        // Repeats of what is stored are not joined with what is new.
        entry.n > this.#place.n !== first.n > this.#place.n
      );
    });
    return this.#waiting.splice(0, end < 0 ? this.#waiting.length : end);
  }

  async #store(entries: readonly ReceivedEntry[]): Promise<void> {
    const { clock, observer } = this.#parts.context;
    const first = entries[0];
    const last = entries.at(-1);
    if (first === undefined || last === undefined) return;
    const begunAt = clock.now();
    const bytes = entries.reduce((sum, entry) => sum + countBytes(entry), 0);
    const isNext = first.n === this.#place.n + 1;
    const brokenEntry = isNext ? findBrokenEntry(this.#place, entries) : undefined;
    const storedEntries: StoredEntries =
      brokenEntry === undefined
        ? await this.#storeUntilKnown(entries)
        : { kind: 'refused', n: brokenEntry.n, reason: 'malformed', home: await this.#readHead() };
    this.#release(bytes);
    if (storedEntries.kind === 'stored')
      observer.noteCommit(entries.length, (clock.now() - begunAt) / SECOND_MS);
    if (this.#isOver) return;
    if (storedEntries.kind === 'refused') return this.#refuse(storedEntries);
    if (last.n > this.#place.n) this.#place = { n: last.n, hash: last.hash };
    this.#parts.socket.send({ type: 'committed', n: last.n });
    const wait = Math.max(this.#entryPace.use(entries.length), this.#bytePace.use(bytes));
    if (wait > 0) await pause(clock, wait);
  }

  /** Tries again while the outcome is unknown: entries that were stored meanwhile are not stored twice. */
  async #storeUntilKnown(receivedEntries: readonly ReceivedEntry[]): Promise<StoredEntries> {
    const { context, runnerId } = this.#parts;
    const { database, clock, log } = context;
    let entries = receivedEntries;
    for (let wait = FIRST_RETRY_MS; ; wait = Math.min(2 * wait, LONGEST_RETRY_MS)) {
      try {
        const at = new Date(clock.now());
        return await storeEntries(database, runnerId, this.#place, entries, at);
      } catch (err) {
        if (this.#isOver) return { kind: 'stored' };
        // An entry is taken whatever its rows are; the runner sends them once more.
        if (isRefusedData(err)) entries = entries.map(({ jobs: _, ...entry }) => entry);
        log.warn({ err, runner: runnerId }, 'entries of a home are not known to be stored');
        await pause(clock, wait);
      }
    }
  }

  async #readHead() {
    const { database } = this.#parts.context;
    const [home] = await database.sql<{ generation: number; head: number; hash: string }[]>`
      select generation, head, hash from homes where runner_id = ${this.#parts.runnerId}`;
    return home === undefined
      ? { generation: 0, head: this.#place.n, hash: this.#place.hash }
      : { ...home };
  }

  #refuse({ n, reason, home }: Extract<StoredEntries, { kind: 'refused' }>): void {
    const { context, runnerId, socket } = this.#parts;
    this.close();
    context.log.warn({ runner: runnerId, n, reason }, 'an entry of a home was refused');
    // The runner has what this log should have: the database was restored to the past.
    if (reason === 'gap' && n > home.head + 1) noteAhead(context, runnerId, { n });
    socket.send({ type: 'refused', n, reason, ...home });
  }

  #release(bytes: number): void {
    this.#heldBytes -= bytes;
    if (!this.#isPaused || this.#heldBytes > MOST_HELD_BYTES / 2) return;
    this.#isPaused = false;
    this.#parts.socket.resume();
  }
}
