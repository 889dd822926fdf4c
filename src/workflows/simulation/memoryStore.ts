import type {
  ActorRow,
  Batch,
  DurableStore,
  FrameRow,
  ReceivedRow,
  JournalRow,
  MailRow,
  OutboxRow,
  TimerRow,
} from '../../kernel/writer.ts';

const toMemoryKey = (...parts: readonly string[]): string => JSON.stringify(parts);

/**
 * The kernel's store in memory, for a process that need not survive. Rows of features are counted
 * as written and not kept.
 */
export class MemoryStore implements DurableStore {
  readonly #actors = new Map<string, ActorRow>();
  readonly #journal: JournalRow[] = [];
  readonly #frames: FrameRow[] = [];
  readonly #outbox = new Map<string, OutboxRow>();
  readonly #timers = new Map<string, TimerRow>();
  readonly #inbox = new Map<string, ReceivedRow>();
  readonly #mail = new Map<string, MailRow>();
  #generation = 0;

  commit(batch: Batch): undefined {
    for (const row of batch.actors) this.#actors.set(row.id, row);
    this.#journal.push(...batch.journal);
    this.#frames.push(...batch.frames);
    for (const row of batch.outboxPut) this.#outbox.set(row.effectId, row);
    for (const id of batch.outboxDone) this.#outbox.delete(id);
    for (const row of batch.timersSet) this.#timers.set(toMemoryKey(row.actor, row.name), row);
    for (const { actor, name } of batch.timersDrop) this.#timers.delete(toMemoryKey(actor, name));
    for (const row of batch.inbox)
      this.#inbox.set(toMemoryKey(row.actor, row.source, row.externalId), row);
    for (const row of batch.mailPut) this.#mail.set(row.id, row);
    for (const id of batch.mailDone) this.#mail.delete(id);
    return undefined;
  }

  claim(): number {
    this.#generation++;
    return this.#generation;
  }

  /** Actors that wait for a slot, the one that has waited longest first. */
  listWaiting(): string[] {
    return [...this.#actors.values()]
      .filter(({ index }) => index.waitingSince !== null)
      .sort((a, b) => (a.index.waitingSince ?? 0) - (b.index.waitingSince ?? 0))
      .map(({ id }) => id);
  }

  actor = (id: string): ActorRow | undefined => this.#actors.get(id);
  inbox = (...key: [actor: string, source: string, externalId: string]): ReceivedRow | undefined =>
    this.#inbox.get(toMemoryKey(...key));
  listPendingEffects = (): OutboxRow[] => [...this.#outbox.values()];
  listPendingMail = (): MailRow[] => [...this.#mail.values()];
  timers = (limit: number): TimerRow[] =>
    [...this.#timers.values()].sort((a, b) => a.due - b.due).slice(0, limit);
  listTimers = (actor: string): TimerRow[] =>
    [...this.#timers.values()].filter((timer) => timer.actor === actor);
  hasProgressed = (actor: string, seq: number): boolean =>
    this.#journal.some((row) => row.actor === actor && row.seq > seq && !row.note);
  journal = (actor: string, after: number, limit: number): JournalRow[] =>
    this.#journal.filter((row) => row.actor === actor && row.seq > after).slice(0, limit);
  frames = (actor: string, after: number, limit: number): FrameRow[] =>
    this.#frames.filter((row) => row.actor === actor && row.n > after).slice(0, limit);
}
