import { sleep } from '../../base/time/waiting.ts';
import type { Clock } from '../../base/time/clock.ts';
import { SvcError } from '../../base/errors/errors.ts';
import type { RowPut } from '../../contract/records/changes.ts';
import type { Tables } from '../../contract/records/tables.ts';
import type { ForgeActor, ForgeChange } from '../../contract/forge/forge.ts';
import { runAsCaller, type Caller } from './caller.ts';

export type WriteRow = Tables['forge_writes'];

/** Where a write may have happened though its answer never came: a remote forge, a tracker. */
export interface WriteTarget<Operations extends object> {
  id: string;
  /** How long after a write its result may still be invisible, ms. */
  consistencyMs: number;
  /** Operations that the target itself does only once, so that sending them again is harmless. */
  doesOnce: ReadonlySet<keyof Operations & string>;
  write<K extends keyof Operations & string>(
    operation: K,
    args: Operations[K],
    actor: ForgeActor,
  ): Promise<ForgeChange>;
  find<K extends keyof Operations & string>(
    operation: K,
    args: Operations[K],
    actor: ForgeActor,
  ): Promise<ForgeChange | null>;
}

const TABLE = 'forge_writes';
/** Lookups within the time in which the forge may not show a write yet. */
const LOOKS = 4;
/** Wait before asking again a forge that could not be asked about the outcome of a write, ms. */
const ASK_AGAIN_MS = 15_000;
/** How long svc asks about the outcome of a write, ms; then a person has to look. */
const UNDECIDED_AFTER_MS = 15 * 60_000;

export interface AccountWriterOptions {
  /** The row of an operation; undefined = the operation was never sent. */
  row(operationId: string): WriteRow | undefined;
  /** Commits rows; resolves when they are durable. */
  commit(rows: RowPut<typeof TABLE>[]): Promise<void>;
  clock: Clock;
}

interface Work<Operations extends object, K extends keyof Operations & string> {
  forge: WriteTarget<Operations>;
  operation: K;
  args: Operations[K];
  actor: ForgeActor;
  caller: Caller;
  row: WriteRow;
}

function readWriteSubject(args: unknown): Pick<WriteRow, 'repo' | 'number'> {
  const { repo, key, number } = Object(args);
  return { repo: String(repo ?? key), number: typeof number === 'number' ? number : null };
}

const toWriteRowPut = (row: WriteRow): RowPut<typeof TABLE> => ({ op: 'put', table: TABLE, row });

/**
 * Writes to remote forges and trackers, each at most once: the row is on disk before the write goes
 * out. If the answer is lost because the runner or the network failed, the write is looked for as
 * long as the forge may lag, or for at most 15 minutes while the forge cannot be asked. If it is
 * not found, an operation that the forge itself does only once is sent again; any other throws
 * `undecided` and is never sent again.
 */
export class AccountWriter {
  readonly #options: AccountWriterOptions;

  constructor(options: AccountWriterOptions) {
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
      operation_id: actor.operationId,
      forge: forge.id,
      operation,
      ...readWriteSubject(args),
      job_id: caller.jobId,
      phase: caller.phase,
      at: this.#options.clock.now(),
      state: 'sent',
      result: '',
    };
    if (before?.state === 'done') return JSON.parse(before.result) as ForgeChange;
    if (before?.state === 'undecided') throw createUndecidedError(before);
    const work: Work<Operations, K> = { forge, operation, args, actor, caller, row };
    const change = before?.state === 'sent' ? null : await this.#send(work);
    return change ?? this.#decide(work);
  }

  /**
   * Sends the write; null = it went out and the answer is lost. Throws when it did not go out or
   * was refused.
   */
  async #send<Operations extends object, K extends keyof Operations & string>(
    work: Work<Operations, K>,
  ): Promise<ForgeChange | null> {
    const { forge, operation, args, actor, caller, row } = work;
    let wentOut = false;
    /** Runs as late as possible: a crash while the request waits must leave no doubt. */
    const beforeWrite = async (): Promise<void> => {
      if (!wentOut) await this.#options.commit([toWriteRowPut({ ...row, state: 'sent' })]);
      wentOut = true;
    };
    try {
      return this.#withDoneRow(
        row,
        await runAsCaller({ ...caller, prepareWrite: beforeWrite }, () =>
          forge.write(operation, args, actor),
        ),
      );
    } catch (error) {
      const lost = error instanceof SvcError ? error.data.sent === true : wentOut;
      if (lost) return null;
      if (!(error instanceof SvcError)) throw error;
      // It was refused: the next attempt counts as a first one.
      if (wentOut)
        await this.#options.commit([
          toWriteRowPut({ ...row, state: 'refused', result: error.message }),
        ]);
      throw error;
    }
  }

  /**
   * Finds the outcome of a write whose answer is lost: done, refused or undecided. A forge that
   * cannot be asked just now is never an outcome, or the agent would write the same again as
   * something new.
   */
  async #decide<Operations extends object, K extends keyof Operations & string>(
    work: Work<Operations, K>,
  ): Promise<ForgeChange> {
    const { forge, operation, actor, caller, row } = work;
    const { clock } = this.#options;
    const giveUpAt = clock.now() + UNDECIDED_AFTER_MS;
    for (;;) {
      try {
        const forgeChange = await this.#look(work);
        if (forgeChange) return this.#withDoneRow(row, forgeChange);
        if (!forge.doesOnce.has(operation)) return await this.#giveUp(row);
        const change = await this.#send(work);
        if (change) return change;
      } catch (error) {
        const state = this.#options.row(actor.operationId)?.state;
        if (state === 'undecided' || state === 'refused' || caller.signal?.aborted) throw error;
      }
      if (clock.now() >= giveUpAt) return this.#giveUp(row);
      await this.#wait(ASK_AGAIN_MS, caller.signal);
    }
  }

  /** Row and answer are committed together. */
  #withDoneRow(row: WriteRow, change: ForgeChange): ForgeChange {
    const result = JSON.stringify({ ...change, rows: [] });
    return { ...change, rows: [...change.rows, toWriteRowPut({ ...row, state: 'done', result })] };
  }

  async #giveUp(row: WriteRow): Promise<never> {
    const open = { ...row, state: 'undecided' as const };
    await this.#options.commit([toWriteRowPut(open)]);
    throw createUndecidedError(open);
  }

  /** Looks several times while the forge may lag. */
  async #look<Operations extends object, K extends keyof Operations & string>(
    work: Work<Operations, K>,
  ): Promise<ForgeChange | null> {
    const { forge, operation, args, actor, caller } = work;
    for (let looks = 0; ; looks += 1) {
      const forgeChange = await forge.find(operation, args, actor);
      if (forgeChange || looks === LOOKS) return forgeChange;
      await this.#wait(forge.consistencyMs / LOOKS, caller.signal);
    }
  }

  async #wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
    await sleep(this.#options.clock, ms, signal);
    if (!signal?.aborted) return;
    throw new SvcError(
      'stopping',
      'The runner is stopping; the outcome of this write is looked up at the next start.',
    );
  }
}

const createUndecidedError = ({ operation, repo, number, forge }: WriteRow): SvcError => {
  const where = number === null ? repo : `${repo}#${number}`;
  return new SvcError(
    'undecided',
    `It is unknown whether ${operation} on ${where} was done: the answer of ${forge} was lost, and the forge does not show it. A person has to check; the write is not repeated.`,
  );
};
