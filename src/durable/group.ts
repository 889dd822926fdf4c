import type { DurableChart, DurableEvent, FrameDraft, IntrinsicParams } from './chart.ts';
import type { CommitNotice, Send } from './contract.ts';
import { KernelError, MAX_CONTEXT_BYTES } from './contract.ts';
import { contextBytes, type Draft, draftOf, rowOf, sameIndex } from './draft.ts';
import { type HotActors, stateOf } from './hotActors.ts';
import type { Ports } from './port.ts';
import type { SendResult } from './questions.ts';
import { checkedBegin, checkedStep, refusal } from './trial.ts';
import type { Stepped } from './step.ts';
import { stateText } from './step.ts';
import { type Applied, textOf, type Work } from './work.ts';
import type { ActorRow, Batch, DurableStore, InboxRow, OutboxRow, TimerRow } from './writer.ts';

export interface GroupScope {
  charts: ReadonlyMap<string, DurableChart>;
  ports: Ports;
  hot: HotActors;
  store: DurableStore;
  screen: ((json: string) => string) | undefined;
}

/** A step's error: the event alone is refused, and the actor's journal says so. */
interface Mishap {
  actor: string;
  event: string;
  error: KernelError;
}

/** Errors that say nothing about the event: what was to be done stays to be done. */
const POSTPONING: ReadonlySet<string> = new Set(['snapshot-unreadable', 'unknown-chart']);

/**
 * One group: works applied one after the other as pure transitions, until `batch` is written. Everything that it
 * changes goes through `#push` and `#set`, which can be undone back to a mark: that is how one event is refused alone.
 */
export class Group {
  readonly notice: CommitNotice = { steps: [], frames: [] };
  /** Effects that this group asks for; they start after the commit. */
  readonly newEffects: OutboxRow[] = [];
  readonly drafts = new Map<string, Draft>();
  readonly #scope: GroupScope;
  readonly #now: number;
  /** Whether every step's context is measured. Else the last one of each actor is, when the group is written. */
  readonly #strict: boolean;
  readonly #batch: Omit<Batch, 'generation' | 'actors' | 'frames' | 'inbox' | 'timersSet' | 'timersDrop'> = {
    journal: [],
    outboxPut: [],
    outboxDone: [],
    mailPut: [],
    mailDone: [],
    rows: [],
  };
  readonly #inbox = new Map<string, InboxRow>();
  readonly #timers = new Map<string, { actor: string; name: string; row: TimerRow | undefined }>();
  readonly #undo: (() => void)[] = [];

  constructor(scope: GroupScope, now: number, strict: boolean) {
    this.#scope = scope;
    this.#now = now;
    this.#strict = strict;
  }

  /** Never throws for a reason that lies in the work; a store that cannot be read throws. */
  apply(work: Work): Applied {
    const submitted: Applied['submitted'] = { started: [], sends: [] };
    if (work.timer && !this.#stands(work.timer)) return { submitted };
    const mishaps: Mishap[] = [];
    const mark = this.#undo.length;
    let failed: KernelError | undefined;
    const attempt = (run: () => void, actor: string, event: string) => {
      const before = this.#undo.length;
      try {
        run();
      } catch (error) {
        if (!(error instanceof KernelError)) throw error;
        this.#undoTo(before);
        failed ??= error;
        if (error.code === 'chart-error' || error.code === 'context-too-large') mishaps.push({ actor, event, error });
      }
    };
    for (const { chart, id, input } of work.starts ?? []) {
      attempt(() => submitted.started.push({ id, created: this.#start(chart, id, input) }), id, 'start');
    }
    for (const send of work.sends ?? []) {
      attempt(() => submitted.sends.push(this.#send(send)), send.to, send.event.type);
    }
    for (const row of work.rows ?? []) this.#push(this.#batch.rows, row);
    for (const { actor, frame } of work.frames ?? []) attempt(() => this.#frames(actor, [frame]), actor, 'frame');
    for (const { actor, event } of work.notes ?? []) this.#note(actor, event);
    for (const row of work.outbox ?? []) this.#push(this.#batch.outboxPut, row);
    if (work.effectDone !== undefined) this.#push(this.#batch.outboxDone, work.effectDone);
    if (work.mailDone !== undefined) this.#push(this.#batch.mailDone, work.mailDone);
    if (work.timer) this.#timer(work.timer.actor, work.timer.name, undefined);

    const whole =
      failed === undefined &&
      submitted.started.every((start) => start.created) &&
      submitted.sends.every((sent) => sent.accepted && !sent.duplicate);
    if ((work.allOrNothing && !whole) || (failed && POSTPONING.has(failed.code))) this.#undoTo(mark);
    for (const { actor, event, error } of mishaps) {
      this.#note(actor, { type: 'kernel.chartError', event, error: error.message });
    }
    this.#undo.length = 0;
    return failed ? { submitted, failed } : { submitted };
  }

  /** What is to be written; `null` = a context grew too large, and a strict group has to say which event did it. */
  batch(generation: number): Batch | null {
    const actors: ActorRow[] = [];
    for (const draft of this.drafts.values()) {
      const row = rowOf(draft, this.#now);
      if (!row) return null;
      actors.push(row);
    }
    const timers = [...this.#timers.values()];
    return {
      generation,
      actors,
      ...this.#batch,
      timersSet: timers.flatMap(({ row }) => row ?? []),
      timersDrop: timers.flatMap(({ actor, name, row }) => (row ? [] : { actor, name })),
      inbox: [...this.#inbox.values()],
      frames: this.notice.frames,
    };
  }

  get empty(): boolean {
    const { journal, outboxPut, outboxDone, mailDone, rows } = this.#batch;
    const changes = journal.length + outboxPut.length + outboxDone.length + mailDone.length + rows.length;
    return changes + this.#timers.size + this.notice.frames.length === 0;
  }

  #start(chartId: string, id: string, input: unknown): boolean {
    if (this.#find(id)) return false;
    const chart = this.#scope.charts.get(chartId);
    if (!chart) throw new KernelError('unknown-chart', `There is no chart ${chartId} to start ${id} with`);
    const stepped = checkedBegin(chart, this.#scope.ports, id, input);
    this.#record(undefined, id, chart, stepped, { type: 'xstate.init', at: this.#now, input });
    return true;
  }

  #send(send: Send): SendResult {
    const draft = this.#draft(send.to);
    const key =
      send.source !== undefined && send.externalId !== undefined
        ? JSON.stringify([send.to, send.source, send.externalId])
        : undefined;
    if (key !== undefined) {
      const known = this.#inbox.get(key) ?? this.#scope.store.inbox(send.to, send.source ?? '', send.externalId ?? '');
      if (known) return { accepted: true, duplicate: true, seq: known.seq };
    }
    const chart = draft.stepped?.chart ?? draft.base?.chart;
    const snapshot = draft.stepped?.snapshot ?? draft.base?.snapshot;
    if (!chart || !snapshot) throw new Error(`${draft.id} was drafted without a start`);
    const event = { ...send.event, at: this.#now };
    const stepped = checkedStep(chart, this.#scope.ports, draft.id, snapshot, event);
    if (!stepped) return { accepted: false, duplicate: false, refusal: refusal(chart, snapshot, event) };
    const seq = this.#record(draft, draft.id, chart, stepped, event);
    if (key !== undefined) {
      this.#set(this.#inbox, key, {
        actor: send.to,
        source: send.source ?? '',
        externalId: send.externalId ?? '',
        at: this.#now,
        seq,
      });
    }
    return { accepted: true, duplicate: false, seq };
  }

  /** Writes a step down: the actor, its journal row, its effects and frames. */
  #record(draft: Draft | undefined, id: string, chart: DurableChart, stepped: Stepped, event: DurableEvent): number {
    if (this.#strict && contextBytes(stepped.snapshot) > MAX_CONTEXT_BYTES) {
      throw new KernelError(
        'context-too-large',
        `${event.type} would make the context of ${id} larger than ${MAX_CONTEXT_BYTES} bytes`,
      );
    }
    const seq = (draft?.seq ?? 0) + 1;
    const text = stepped.path.at(-1) ?? '';
    const before = draft && (draft.stepped?.state ?? draft.base?.state);
    const after = stateOf(id, chart, seq, stepped.snapshot);
    const { index, frames } = ownWords(chart, id, event, () => ({
      index: chart.index(after),
      frames: chart.frames(before, after, event),
    }));
    this.#set(this.drafts, id, {
      id,
      base: draft?.base,
      stepped: { chart, snapshot: stepped.snapshot, state: after, text },
      seq,
      frameSeq: draft?.frameSeq ?? 0,
      index: sameIndex(draft?.index, index),
      createdAt: draft?.createdAt ?? this.#now,
      since: draft && before && (draft.stepped?.text ?? stateText(before.value)) === text ? draft.since : this.#now,
    });
    const listed = stepped.effects.map((effect, index) => this.#effect(id, seq, index, effect.type, effect.params));
    this.#frames(id, frames);
    const journal = {
      actor: id,
      seq,
      at: this.#now,
      event: this.#screened(event),
      path: stepped.path,
      effects: listed,
      note: false,
    };
    this.#push(this.#batch.journal, journal);
    this.#push(this.notice.steps, { id, before, after, journal });
    return seq;
  }

  #effect(actor: string, seq: number, index: number, type: string, params: unknown): { type: string; id?: string } {
    const effectId = `${actor}/${seq}/${index}`;
    // The chart's types tie params to the name; here, behind the name, they are read back.
    const of = <K extends keyof IntrinsicParams>(_type: K) => params as IntrinsicParams[K];
    switch (type) {
      case 'timer.set': {
        const { name, due, event } = of(type);
        this.#timer(actor, name, { actor, name, due, event });
        break;
      }
      case 'timer.cancel':
        this.#timer(actor, of(type).name, undefined);
        break;
      case 'actor.start': {
        const { chart, id, input } = of(type);
        if (!this.#scope.charts.has(chart))
          throw new KernelError('chart-error', `${actor} wants to start ${id} with ${chart}, which is no chart`);
        this.#start(chart, id, input);
        break;
      }
      case 'actor.send':
        this.#push(this.#batch.mailPut, { id: effectId, ...of(type) });
        break;
      case 'row.put':
        this.#push(this.#batch.rows, { op: 'put', ...of(type) });
        break;
      case 'row.patch':
        this.#push(this.#batch.rows, { op: 'patch', ...of(type) });
        break;
      case 'row.drop':
        this.#push(this.#batch.rows, { op: 'drop', ...of(type) });
        break;
      case 'frame.add':
        this.#frames(actor, [of(type)]);
        break;
      default: {
        const row: OutboxRow = { effectId, actor, seq, type, params, attempt: 1, startedSeq: seq, cleanStop: false };
        this.#push(this.#batch.outboxPut, row);
        this.#push(this.newEffects, row);
        return { type, id: effectId };
      }
    }
    return { type };
  }

  #frames(actor: string, frames: readonly FrameDraft[]): void {
    if (frames.length === 0) return;
    const draft = this.#draft(actor);
    frames.forEach(({ kind, data }, index) => {
      this.#push(this.notice.frames, { actor, n: draft.frameSeq + index + 1, at: this.#now, kind, data });
    });
    this.#set(this.drafts, actor, { ...draft, frameSeq: draft.frameSeq + frames.length });
  }

  #note(actor: string, event: DurableEvent): void {
    const draft = this.#find(actor);
    if (!draft) return;
    const seq = draft.seq + 1;
    this.#set(this.drafts, actor, { ...draft, seq });
    const stamped = this.#screened({ ...event, at: this.#now });
    this.#push(this.#batch.journal, { actor, seq, at: this.#now, event: stamped, path: [], effects: [], note: true });
  }

  #timer(actor: string, name: string, row: TimerRow | undefined): void {
    this.#set(this.#timers, JSON.stringify([actor, name]), { actor, name, row });
  }

  #stands(timer: TimerRow): boolean {
    if (this.#timers.has(JSON.stringify([timer.actor, timer.name]))) return false;
    return this.#scope.store.timersOf(timer.actor).some(({ name, due }) => name === timer.name && due === timer.due);
  }

  #find(id: string): Draft | undefined {
    const draft = this.drafts.get(id);
    if (draft) return draft;
    const actor = this.#scope.hot.get(id);
    return actor && draftOf(actor);
  }

  #draft(id: string): Draft {
    const draft = this.#find(id);
    if (!draft) throw new KernelError('unknown-actor', `There is no actor ${id}`);
    return draft;
  }

  #screened(event: DurableEvent): DurableEvent {
    const { screen } = this.#scope;
    if (!screen) return event;
    const json = JSON.stringify(event);
    const screened = screen(json);
    return screened === json ? event : (JSON.parse(screened) as DurableEvent);
  }

  #push<T>(list: T[], item: T): void {
    list.push(item);
    this.#undo.push(() => list.pop());
  }

  #set<K, V>(map: Map<K, V>, key: K, value: V): void {
    const before = map.get(key);
    map.set(key, value);
    this.#undo.push(() => (before === undefined ? map.delete(key) : map.set(key, before)));
  }

  #undoTo(mark: number): void {
    while (this.#undo.length > mark) this.#undo.pop()?.();
  }
}

function ownWords<T>(chart: DurableChart, id: string, event: DurableEvent, run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw new KernelError('chart-error', `Chart ${chart.id} could not list ${id} after ${event.type}: ${textOf(error)}`, error);
  }
}
