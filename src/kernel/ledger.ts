import type { DurableEvent, FrameDraft } from './chart.ts';
import type { RowChange } from './rowChange.ts';
import type { CommitNotice, IndexChange } from './contract.ts';
import { type Draft, createActorDraft, toActorWrite } from './draft.ts';
import type { HotActors } from './hotActors.ts';
import type {
  ActorWrite,
  Batch,
  DurableStore,
  ReceivedRow,
  JournalRow,
  MailRow,
  OutboxRow,
  TimerRow,
} from './writer.ts';

const toTimerKey = ({ actor, name }: { actor: string; name: string }) =>
  JSON.stringify([actor, name]);
const toDeliveryKey = (actor: string, source: string, externalId: string) =>
  JSON.stringify([actor, source, externalId]);

/**
 * What a group has gathered to write. Entries can be undone back to a mark, to take back one event
 * or submission.
 */
export class Ledger {
  readonly notice: CommitNotice = { steps: [], frames: [] };
  readonly newEffects: OutboxRow[] = [];
  readonly drafts = new Map<string, Draft>();
  readonly #store: DurableStore;
  readonly #hot: HotActors;
  readonly #now: number;
  readonly #screen: ((json: string) => string) | null;
  readonly #lists = {
    journal: [] as JournalRow[],
    outboxPut: [] as OutboxRow[],
    outboxDone: [] as string[],
    mailPut: [] as MailRow[],
    mailDone: [] as string[],
    rows: [] as RowChange[],
  };
  readonly #inbox = new Map<string, ReceivedRow>();
  readonly #timers = new Map<string, { actor: string; name: string; row: TimerRow | undefined }>();
  /** What takes back each entry, newest last: a list, from which it is removed, or a function. */
  readonly #undo: (unknown[] | (() => void))[] = [];

  constructor(
    store: DurableStore,
    hot: HotActors,
    now: number,
    screen: ((json: string) => string) | null,
  ) {
    this.#store = store;
    this.#hot = hot;
    this.#now = now;
    this.#screen = screen;
  }

  get mark(): number {
    return this.#undo.length;
  }

  undoTo(mark: number): void {
    while (this.#undo.length > mark) {
      const entry = this.#undo.pop();
      if (typeof entry === 'function') entry();
      else entry?.pop();
    }
  }

  /** Makes everything gathered so far final: it cannot be undone any more. */
  keep(): void {
    this.#undo.length = 0;
  }

  /** The actor as this group left it, or a fresh draft of its committed state. */
  find(id: string): Draft | undefined {
    const draft = this.drafts.get(id);
    if (draft) return draft;
    const actor = this.#hot.get(id);
    return actor && createActorDraft(actor);
  }

  draft(draft: Draft): void {
    this.#set(this.drafts, draft.id, draft);
  }

  indexChanges(): IndexChange[] {
    const changes: IndexChange[] = [];
    for (const { id, base, index, stepped } of this.drafts.values()) {
      const state = stepped?.state ?? base?.state;
      if (state && base?.row.index !== index)
        changes.push({ id, before: base?.row.index, after: index, state });
    }
    return changes;
  }

  step(step: CommitNotice['steps'][number]): void {
    this.#push(this.#lists.journal, step.journal);
    this.#push(this.notice.steps, step);
  }

  /** Adds a kernel line. Does nothing if the actor does not exist or its row is broken. */
  note(actor: string, event: DurableEvent): void {
    const draft = this.find(actor);
    if (!draft || draft.base?.row.broken !== undefined) return;
    const seq = draft.seq + 1;
    this.draft({ ...draft, seq });
    const durableEvent = this.screenEvent({ ...event, at: this.#now });
    this.#push(this.#lists.journal, {
      actor,
      seq,
      at: this.#now,
      event: durableEvent,
      path: [],
      effects: [],
      note: true,
    });
  }

  frames(draft: Draft, frames: readonly FrameDraft[]): void {
    if (frames.length === 0) return;
    frames.forEach(({ kind, data }, index) => {
      this.#push(this.notice.frames, {
        actor: draft.id,
        n: draft.frameSeq + index + 1,
        at: this.#now,
        kind,
        data,
      });
    });
    this.draft({ ...draft, frameSeq: draft.frameSeq + frames.length });
  }

  row(change: RowChange): void {
    this.#push(this.#lists.rows, change);
  }

  newEffect(row: OutboxRow): void {
    this.effect(row);
    this.#push(this.newEffects, row);
  }

  effect(row: OutboxRow): void {
    this.#push(this.#lists.outboxPut, row);
  }

  effectDone(effectId: string): void {
    this.#push(this.#lists.outboxDone, effectId);
  }

  isPending(effectId: string | undefined): boolean {
    return this.#store.listPendingEffects().some((row) => row.effectId === effectId);
  }

  mail(letter: MailRow): void {
    this.#push(this.#lists.mailPut, letter);
  }

  mailDone(id: string): void {
    this.#push(this.#lists.mailDone, id);
  }

  timer(actor: string, name: string, row: TimerRow | undefined): void {
    this.#set(this.#timers, toTimerKey({ actor, name }), { actor, name, row });
  }

  /** Whether a timer that fired has not been cancelled or replaced. */
  stands(timer: TimerRow): boolean {
    if (this.#timers.has(toTimerKey(timer))) return false;
    return this.#store
      .listTimers(timer.actor)
      .some(({ name, due }) => name === timer.name && due === timer.due);
  }

  delivery(row: ReceivedRow): void {
    this.#set(this.#inbox, toDeliveryKey(row.actor, row.source, row.externalId), row);
  }

  findDelivery(actor: string, source: string, externalId: string): ReceivedRow | undefined {
    return (
      this.#inbox.get(toDeliveryKey(actor, source, externalId)) ??
      this.#store.inbox(actor, source, externalId)
    );
  }

  screenEvent(event: DurableEvent): DurableEvent {
    if (!this.#screen) return event;
    const json = JSON.stringify(event);
    const screenedJson = this.#screen(json);
    return screenedJson === json ? event : (JSON.parse(screenedJson) as DurableEvent);
  }

  get empty(): boolean {
    const { journal, outboxPut, outboxDone, mailDone, rows } = this.#lists;
    const changes =
      journal.length + outboxPut.length + outboxDone.length + mailDone.length + rows.length;
    return changes + this.#timers.size + this.notice.frames.length === 0;
  }

  /** What the commit writes; null = a context is too large. */
  batch(generation: number): Batch | null {
    const actors: ActorWrite[] = [];
    for (const draft of this.drafts.values()) {
      const row = toActorWrite(draft, this.#now);
      if (!row) return null;
      actors.push(row);
    }
    const timers = [...this.#timers.values()];
    return {
      generation,
      actors,
      ...this.#lists,
      timersSet: timers.flatMap(({ row }) => row ?? []),
      timersDrop: timers.flatMap(({ actor, name, row }) => (row ? [] : { actor, name })),
      inbox: [...this.#inbox.values()],
      frames: this.notice.frames,
    };
  }

  #push<T>(list: T[], item: T): void {
    list.push(item);
    this.#undo.push(list);
  }

  #set<K, V>(map: Map<K, V>, key: K, value: V): void {
    const before = map.get(key);
    map.set(key, value);
    this.#undo.push(() => (before === undefined ? map.delete(key) : map.set(key, before)));
  }
}
