import type { RunnerDirectory } from '../../runners/runnerDirectory.ts';
import type { CloudContext } from '../../server/cloudContext.ts';
import { type DispatchRow, selectDispatches } from './dispatchRow.ts';
import { CLAIM_MS, placeDispatches } from './placeDispatches.ts';
import { sendDispatch } from './sendDispatch.ts';

/** Between two passes, ms. */
const PASS_MS = 1_000;
/** How long a dispatch waits for a runner, ms. */
export const DISPATCH_MS = 24 * 3_600_000;
/** How often the claim of a request that is still being answered is renewed, ms: well within {@link CLAIM_MS}. */
const RENEWAL_MS = 2_000;
/** How long runners that connect are collected, ms: those of a node that has died come together. */
const RETURNED_MS = 100;
/** Requests of dispatches that this node makes at the same time. */
const MOST_SENDING = 512;
/** Of those, requests of one team: runners that do not answer hold up no other team. */
export const MOST_SENDING_OF_TEAM = 32;

export interface DispatcherParts {
  context: CloudContext;
  directory: RunnerDirectory;
}

/**
 * Brings dispatches to runners. Every node runs one; what they share is in PostgreSQL, so that each may end at any
 * moment: a dispatch that was sent is taken up by another node when its claim has ended.
 */
export class Dispatcher {
  readonly #context: CloudContext;
  readonly #directory: RunnerDirectory;
  readonly #stopping = new AbortController();
  readonly #sending = new Map<string, { teamId: string; done: Promise<void> }>();
  /** Called when a dispatch of this node has changed. */
  readonly #watchers = new Map<string, Set<() => void>>();
  /** Runners that have connected since the last pass. */
  readonly #returned = new Set<string>();
  #cancelReturned: (() => void) | null = null;
  #renewedAt = 0;
  #cancelTimer: () => void = () => undefined;
  #pass: Promise<void> | null = null;
  #isWanted = false;

  constructor({ context, directory }: DispatcherParts) {
    this.#context = context;
    this.#directory = directory;
    directory.onHello(({ runnerId }) => this.#noteReturned(runnerId));
    directory.onBeat(() => this.wake());
    this.#passLater();
  }

  /** Starts a pass at once, or after the running one. */
  wake(): void {
    if (this.#stopping.signal.aborted) return;
    this.#isWanted = true;
    if (this.#pass !== null) return;
    this.#cancelTimer();
    this.#pass = this.#passWhileWanted().finally(() => {
      this.#pass = null;
      this.#passLater();
    });
  }

  /** Calls back whenever the dispatch has changed on this node, until the returned function is called. */
  watch(dispatchId: string, onChange: () => void): () => void {
    const watchers = this.#watchers.get(dispatchId) ?? new Set();
    watchers.add(onChange);
    this.#watchers.set(dispatchId, watchers);
    return () => {
      watchers.delete(onChange);
      if (watchers.size === 0) this.#watchers.delete(dispatchId);
    };
  }

  /** Requests that are being made are cut: they are made again, here or by another node. */
  async close(): Promise<void> {
    this.#stopping.abort();
    this.#cancelTimer();
    this.#cancelReturned?.();
    await this.#pass;
    await Promise.allSettled([...this.#sending.values()].map(({ done }) => done));
  }

  #passLater(): void {
    if (this.#stopping.signal.aborted) return;
    const { clock } = this.#context;
    this.#cancelTimer = clock.at(clock.now() + PASS_MS, () => this.wake());
  }

  async #passWhileWanted(): Promise<void> {
    while (this.#isWanted && !this.#stopping.signal.aborted) {
      this.#isWanted = false;
      try {
        await this.#renewClaims();
        await this.#makeReturnedDue();
        await this.#placeAll();
        await this.#claimDue();
      } catch (err) {
        // The database is away, mostly: the next pass does the same.
        if (!this.#stopping.signal.aborted)
          this.#context.log.warn({ err }, 'dispatches could not be placed');
        return;
      }
    }
  }

  async #placeAll(): Promise<void> {
    const { database, clock } = this.#context;
    const teams = await database.sql`
      select team_id, min(created_at) as oldest from dispatches where state = 'waiting' group by team_id`;
    const horizon = new Date(clock.now() - DISPATCH_MS);
    for (const { team_id: teamId, oldest } of teams) {
      try {
        if (oldest < horizon) await this.#expire(teamId, horizon);
        const sentIds = await placeDispatches(this.#context, this.#directory, teamId);
        if (sentIds.length > 0) await this.#sendNow(teamId, sentIds);
      } catch (err) {
        // What is wrong with one team does not hold up the others.
        if (this.#stopping.signal.aborted) throw err;
        this.#context.log.warn({ err, team: teamId }, 'dispatches of a team could not be placed');
      }
    }
  }

  /**
   * No other node repeats a request that is still being answered here: a repeat that came after a refusal could make the
   * job beside the one of another runner.
   */
  async #renewClaims(): Promise<void> {
    const { database, clock } = this.#context;
    const now = clock.now();
    if (this.#sending.size === 0 || now - this.#renewedAt < RENEWAL_MS) return;
    this.#renewedAt = now;
    const ids = JSON.stringify([...this.#sending.keys()]);
    await database.sql`
      update dispatches set next_at = ${new Date(now + CLAIM_MS)} where state = 'sent'
        and id in (select jsonb_array_elements_text(${ids}::text::jsonb))`;
  }

  async #expire(teamId: string, horizon: Date): Promise<void> {
    const { database, clock } = this.#context;
    const rows = await database.sql`
      update dispatches set state = 'expired', ended_at = ${new Date(clock.now())}
      where team_id = ${teamId} and state = 'waiting' and created_at < ${horizon} returning id`;
    for (const { id } of rows) this.#tell(id);
  }

  /** Those that this node has just marked. What it has no room for is claimed when it is due. */
  async #sendNow(teamId: string, ids: readonly string[]): Promise<void> {
    const { sql } = this.#context.database;
    const rows = await sql<DispatchRow[]>`
      ${selectDispatches(sql)} where dispatches.state = 'sent'
        and dispatches.id in (select jsonb_array_elements_text(${JSON.stringify(ids)}::text::jsonb))`;
    const room = this.#countRoom(teamId);
    for (const row of rows.slice(0, room)) this.#send(row);
    const remainingIds = rows.slice(room).map(({ id }) => id);
    if (remainingIds.length > 0) await this.#makeDue(remainingIds);
  }

  #makeDue(ids: readonly string[]) {
    const { database, clock } = this.#context;
    return database.sql`
      update dispatches set next_at = ${new Date(clock.now())} where state = 'sent'
        and id in (select jsonb_array_elements_text(${JSON.stringify(ids)}::text::jsonb))`;
  }

  /** Those that are due, of whichever node: also of one that has died. */
  async #claimDue(): Promise<void> {
    const { database, clock } = this.#context;
    const teams = await database.sql`
      select team_id from dispatches where state = 'sent' and next_at <= ${new Date(clock.now())}
      group by team_id order by min(next_at)`;
    for (const { team_id: teamId } of teams) await this.#claimDueOfTeam(teamId);
  }

  async #claimDueOfTeam(teamId: string): Promise<void> {
    const room = this.#countRoom(teamId);
    if (room === 0) return;
    const { database, clock } = this.#context;
    const { sql } = database;
    const now = clock.now();
    const claimedRows = await sql`
      update dispatches set next_at = ${new Date(now + CLAIM_MS)}
      where id in (select id from dispatches where state = 'sent' and next_at <= ${new Date(now)}
        and team_id = ${teamId} order by next_at limit ${room} for update skip locked)
      returning id`;
    if (claimedRows.length === 0) return;
    const ids = JSON.stringify(claimedRows.map(({ id }) => id));
    const rows = await sql<DispatchRow[]>`
      ${selectDispatches(sql)} where dispatches.state = 'sent'
        and dispatches.id in (select jsonb_array_elements_text(${ids}::text::jsonb))`;
    for (const row of rows) this.#send(row);
  }

  #send(row: DispatchRow): void {
    if (this.#sending.has(row.id) || this.#stopping.signal.aborted) return;
    const parts = { context: this.#context, directory: this.#directory };
    const sending = sendDispatch(parts, row, this.#stopping.signal)
      .catch((err: unknown) => {
        // Its claim ends, and it is taken up again.
        if (!this.#stopping.signal.aborted)
          this.#context.log.warn({ err, dispatch: row.id }, 'a dispatch could not be sent');
      })
      .finally(() => {
        this.#sending.delete(row.id);
        this.#tell(row.id);
        this.wake();
      });
    this.#sending.set(row.id, { teamId: row.team_id, done: sending });
  }

  /** How many requests more this node makes for a team. */
  #countRoom(teamId: string): number {
    let ofTeam = 0;
    for (const one of this.#sending.values()) if (one.teamId === teamId) ofTeam += 1;
    const room = Math.min(MOST_SENDING - this.#sending.size, MOST_SENDING_OF_TEAM - ofTeam);
    return Math.max(0, room);
  }

  #noteReturned(runnerId: string): void {
    if (this.#stopping.signal.aborted) return;
    const { clock } = this.#context;
    this.#returned.add(runnerId);
    this.#cancelReturned ??= clock.at(clock.now() + RETURNED_MS, () => {
      this.#cancelReturned = null;
      this.wake();
    });
  }

  /** Runners are back: what they were sent is sent again without waiting for its time. One statement for all of them. */
  async #makeReturnedDue(): Promise<void> {
    if (this.#returned.size === 0) return;
    const runners = [...this.#returned];
    const { database, clock } = this.#context;
    const sending = JSON.stringify([...this.#sending.keys()]);
    await database.sql`
      update dispatches set next_at = ${new Date(clock.now())}, attempts = 0
      where state = 'sent'
        and runner_id in (select jsonb_array_elements_text(${JSON.stringify(runners)}::text::jsonb))
        and id not in (select jsonb_array_elements_text(${sending}::text::jsonb))`;
    for (const runnerId of runners) this.#returned.delete(runnerId);
  }

  #tell(dispatchId: string): void {
    for (const onChange of this.#watchers.get(dispatchId) ?? []) onChange();
  }
}
