import type { Clock } from '../../lib/clock.ts';
import { SvcError } from '../../lib/errors.ts';
import type { ForgeActor, ForgeChange, ForgeRow } from '../forge.ts';
import { asCaller, type Caller } from './caller.ts';

/** Row of `forge_writes`: the log of what went out, and what tells a repeat that it is one. */
export type WriteRow = {
  operation_id: string;
  /** Id of the forge or tracker. */
  forge: string;
  operation: string;
  /** Repository, or key of the issue. */
  repo: string;
  number: number | null;
  job_id: string;
  phase: string;
  /** Epoch ms. */
  at: number;
  state: 'sent' | 'done' | 'refused' | 'undecided';
  /** JSON of the answer, or why there is none. */
  result: string;
};

/** Where a write may have happened though its answer never came: a remote forge, a tracker. */
export interface WriteTarget<Operations extends object> {
  id: string;
  /** How long after a write it may still answer as if that had not happened, ms. */
  consistencyMs: number;
  /** Operations that it does only once by itself, so that to ask again can do no harm. */
  doesOnce: ReadonlySet<keyof Operations & string>;
  write<K extends keyof Operations & string>(operation: K, args: Operations[K], actor: ForgeActor): Promise<ForgeChange>;
  /** Looks whether the operation was done under this id; null = it is not to be seen. */
  find<K extends keyof Operations & string>(operation: K, args: Operations[K], actor: ForgeActor): Promise<ForgeChange | null>;
}

const TABLE = 'forge_writes';
/** Looks in the window in which the forge may not show yet what was written. */
const LOOKS = 4;

export interface WriteDeskOptions {
  /** The row of an operation; undefined = it never went out. */
  row(operationId: string): WriteRow | undefined;
  /** Commits rows; resolves when they are durable. */
  commit(rows: ForgeRow[]): Promise<void>;
  clock: Clock;
}

/** What an operation is about: a pull request, a repository, an issue. */
function placeOf(args: unknown): Pick<WriteRow, 'repo' | 'number'> {
  const { repo, key, number } = Object(args);
  return { repo: String(repo ?? key), number: typeof number === 'number' ? number : null };
}

const put = (row: WriteRow): ForgeRow => ({ op: 'put', table: TABLE, row });

/**
 * Writes to remote forges and trackers, each at most once: that it goes out is on disk before it does. One whose answer nobody has, because
 * the runner or the network broke, is looked for as long as the forge may lag. Then: an operation that the forge itself does only
 * once is sent again; any other throws `undecided` and never goes out again.
 */
export class WriteDesk {
  readonly #options: WriteDeskOptions;

  constructor(options: WriteDeskOptions) {
    this.#options = options;
  }

  async write<Operations extends object, K extends keyof Operations & string>(
    forge: WriteTarget<Operations>,
    operation: K,
    args: Operations[K],
    actor: ForgeActor,
    caller: Caller,
  ): Promise<ForgeChange> {
    const before = this.#options.row(actor.operationId);
    const row: WriteRow = before ?? {
      ...{ operation_id: actor.operationId, forge: forge.id, operation, ...placeOf(args) },
      ...{ job_id: caller.jobId, phase: caller.phase, at: this.#options.clock.now() },
      ...{ state: 'sent', result: '' },
    };
    if (before?.state === 'done') return JSON.parse(before.result) as ForgeChange;
    if (before?.state === 'undecided') throw undecided(before);
    if (before?.state === 'sent') {
      const found = await this.#look(forge, operation, args, actor);
      if (found) return this.#done(row, found);
      if (!forge.doesOnce.has(operation)) return this.#giveUp(row);
    }
    return this.#send(forge, operation, args, actor, row, caller);
  }

  async #send<Operations extends object, K extends keyof Operations & string>(
    forge: WriteTarget<Operations>,
    operation: K,
    args: Operations[K],
    actor: ForgeActor,
    row: WriteRow,
    caller: Caller,
  ): Promise<ForgeChange> {
    let wentOut = false;
    /** As late as can be: a crash while the request waits its turn must leave no doubt. */
    const beforeWrite = async (): Promise<void> => {
      if (!wentOut) await this.#options.commit([put({ ...row, state: 'sent' })]);
      wentOut = true;
    };
    try {
      return this.#done(row, await asCaller({ ...caller, beforeWrite }, () => forge.write(operation, args, actor)));
    } catch (error) {
      if (!(error instanceof SvcError)) throw error;
      if (error.data.sent !== true) {
        // Refused: another attempt is a first one.
        if (wentOut) await this.#options.commit([put({ ...row, state: 'refused', result: error.message })]);
        throw error;
      }
      const found = await this.#look(forge, operation, args, actor);
      if (found) return this.#done(row, found);
      // Asked again by whoever called: it goes out once more, and the forge refuses what it has.
      if (forge.doesOnce.has(operation)) throw error;
      return this.#giveUp(row);
    }
  }

  /** The row goes with the answer: both are committed, or neither. */
  #done(row: WriteRow, change: ForgeChange): ForgeChange {
    const result = JSON.stringify({ ...change, rows: [] });
    return { ...change, rows: [...change.rows, put({ ...row, state: 'done', result })] };
  }

  async #giveUp(row: WriteRow): Promise<never> {
    const open = { ...row, state: 'undecided' as const };
    await this.#options.commit([put(open)]);
    throw undecided(open);
  }

  /** Looks several times within the window; a failure to look is thrown, so that it is tried again later. */
  async #look<Operations extends object, K extends keyof Operations & string>(
    forge: WriteTarget<Operations>,
    operation: K,
    args: Operations[K],
    actor: ForgeActor,
  ): Promise<ForgeChange | null> {
    const { clock } = this.#options;
    for (let looks = 0; ; looks += 1) {
      const found = await forge.find(operation, args, actor);
      if (found || looks === LOOKS) return found;
      await new Promise<void>((resolve) => void clock.at(clock.now() + forge.consistencyMs / LOOKS, resolve));
    }
  }
}

const undecided = ({ operation, repo, number, forge }: WriteRow): SvcError => {
  const where = number === null ? repo : `${repo}#${number}`;
  return new SvcError(
    'undecided',
    `Nobody can tell whether ${operation} on ${where} was done: the answer of ${forge} was lost, and it does not show it. A person has to look; it is not repeated.`,
  );
};
