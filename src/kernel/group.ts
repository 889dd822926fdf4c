import type { DurableChart, DurableEvent, IntrinsicParams } from './chart.ts';
import { type FollowUp, KernelError, MAX_CONTEXT_BYTES, type Send } from './contract.ts';
import { type Draft, isTooLarge, reuseActorIndex } from './draft.ts';
import { type HotActors, toActorState } from './hotActors.ts';
import { Ledger } from './ledger.ts';
import type { Ports } from './port.ts';
import { isRowsRefused, createRowsRefusal, toRefusal } from './stripRefusedRows.ts';
import type { RowChange } from './rowChange.ts';
import type { SendResult } from './questions.ts';
import { type StepResult, formatStateValue } from './stepMachine.ts';
import { startChecked, stepChecked, createUntakenEventRefusal } from './stepChecked.ts';
import { type AppliedWork, readThrownMessage, type Work } from './work.ts';
import type { DurableStore, OutboxRow } from './writer.ts';

export interface GroupScope {
  charts: ReadonlyMap<string, DurableChart>;
  ports: Ports;
  hot: HotActors;
  store: DurableStore;
  screen: ((json: string) => string) | null;
  followUp: FollowUp | undefined;
}

/** A step's error: only the event is refused, and the actor's journal records it. */
interface Mishap {
  actor: string;
  event: string;
  error: KernelError;
}

/** Errors that say nothing about the event: its work remains to be done. */
const POSTPONING: ReadonlySet<string> = new Set(['snapshot-unreadable', 'unknown-chart']);

/** A group of works, applied in sequence as pure transitions and collected in its ledger. */
export class Group {
  readonly ledger: Ledger;
  readonly #scope: GroupScope;
  readonly #now: number;
  /** Measures the context after every step; else once per actor, when the group is written. */
  readonly #strict: boolean;

  constructor(scope: GroupScope, now: number, strict: boolean) {
    this.ledger = new Ledger(scope.store, scope.hot, now, scope.screen);
    this.#scope = scope;
    this.#now = now;
    this.#strict = strict;
  }

  /** Does not throw because of the work; throws if the store cannot be read. */
  apply(work: Work): AppliedWork {
    const submitted: AppliedWork['submitted'] = { started: [], sends: [] };
    const { ledger } = this;
    if (work.timer && !ledger.stands(work.timer)) return { submitted };
    if (work.again && !ledger.isPending(work.effectDone)) return this.apply(keepEffectDone(work));
    const mishaps: Mishap[] = [];
    const { mark } = ledger;
    let firstError: KernelError | undefined;
    const attempt = (run: () => void, actor: string, event: string) => {
      const before = ledger.mark;
      try {
        run();
      } catch (thrown) {
        const error = toRefusal(thrown);
        ledger.undoTo(before);
        firstError ??= error;
        if (error.code === 'chart-error' || error.code === 'context-too-large')
          mishaps.push({ actor, event, error });
      }
    };
    // Before the event is applied, since the chart may set a timer with this name again.
    if (work.timer) ledger.timer(work.timer.actor, work.timer.name, undefined);
    for (const { chart, id, input } of work.starts ?? []) {
      attempt(
        () => submitted.started.push({ id, created: this.#start(chart, id, input) }),
        id,
        'start',
      );
    }
    for (const send of work.sends ?? []) {
      attempt(() => submitted.sends.push(this.#send(send)), send.to, send.event.type);
    }
    attempt(() => this.#rows(work.rows ?? []), '', 'rows');
    for (const { actor, frame } of work.frames ?? [])
      attempt(() => ledger.frames(this.#draft(actor), [frame]), actor, 'frame');
    for (const { actor, event } of work.notes ?? []) ledger.note(actor, event);
    for (const row of work.outbox ?? []) ledger.effect(row);
    if (work.effectDone !== undefined) ledger.effectDone(work.effectDone);
    if (work.mailDone !== undefined) ledger.mailDone(work.mailDone);

    const whole =
      firstError === undefined &&
      submitted.started.every((start) => start.created) &&
      submitted.sends.every((sendResult) => sendResult.accepted && !sendResult.duplicate);
    const isPostponed =
      firstError !== undefined &&
      (POSTPONING.has(firstError.code) ||
        (work.effectDone !== undefined && isRowsRefused(firstError)));
    if ((work.allOrNothing && !whole) || isPostponed) ledger.undoTo(mark);
    for (const { actor, event, error } of mishaps) {
      ledger.note(actor, { type: 'kernel.chartError', event, error: error.message });
    }
    ledger.keep();
    return firstError ? { submitted, failed: firstError } : { submitted };
  }

  /** Adds what follows from everything applied; the last step of a group. */
  follow(): void {
    const { followUp } = this.#scope;
    for (const send of followUp?.sends(this.ledger.indexChanges()) ?? []) {
      const { sends } = this.apply({ sends: [send] }).submitted;
      if (!sends[0]?.accepted) followUp?.onRefused(send);
    }
  }

  #start(chartId: string, id: string, input: unknown): boolean {
    if (this.ledger.find(id)) return false;
    const chart = this.#scope.charts.get(chartId);
    if (!chart)
      throw new KernelError('unknown-chart', `There is no chart ${chartId} to start ${id} with`);
    const event = this.ledger.screenEvent({ type: 'xstate.init', at: this.#now, input });
    const stepped = startChecked(chart, this.#scope.ports, id, event.input);
    this.#record(undefined, id, chart, stepped, event);
    return true;
  }

  #send({ to, event: durableEvent, source, externalId }: Send): SendResult {
    const draft = this.#draft(to);
    const origin =
      source !== undefined && externalId !== undefined ? { source, externalId } : undefined;
    const receivedRow = origin && this.ledger.findDelivery(to, origin.source, origin.externalId);
    if (receivedRow) return { accepted: true, duplicate: true, seq: receivedRow.seq };
    const chart = draft.stepped?.chart ?? draft.base?.chart;
    const snapshot = draft.stepped?.snapshot ?? draft.base?.snapshot;
    if (!chart || !snapshot) throw new Error(`${to} was drafted without a start`);
    // Before the chart sees it: a snapshot must hold nothing that the journal lacks, or the journal
    // cannot be replayed.
    const event = this.ledger.screenEvent({ ...durableEvent, at: this.#now });
    const stepped = stepChecked(chart, this.#scope.ports, to, snapshot, event);
    if (!stepped)
      return {
        accepted: false,
        duplicate: false,
        refusal: createUntakenEventRefusal(chart, snapshot, event),
      };
    const seq = this.#record(draft, to, chart, stepped, event);
    if (origin) this.ledger.delivery({ actor: to, ...origin, at: this.#now, seq });
    return { accepted: true, duplicate: false, seq };
  }

  #record(
    draft: Draft | undefined,
    id: string,
    chart: DurableChart,
    stepped: StepResult,
    event: DurableEvent,
  ): number {
    if (this.#strict && isTooLarge(stepped.snapshot)) {
      throw new KernelError(
        'context-too-large',
        `${event.type} would make the context of ${id} larger than ${MAX_CONTEXT_BYTES} bytes`,
      );
    }
    const seq = (draft?.seq ?? 0) + 1;
    const text = stepped.path.at(-1) ?? '';
    const before = draft && (draft.stepped?.state ?? draft.base?.state);
    const after = toActorState(id, chart, seq, stepped.snapshot);
    const { index, frames, rows } = wrapListingError(chart, id, event, () => ({
      index: chart.index(after),
      frames: chart.frames(before, after, event),
      rows: chart.rows?.(before, after, event) ?? [],
    }));
    this.ledger.draft({
      id,
      base: draft?.base,
      stepped: { chart, snapshot: stepped.snapshot, state: after, text },
      seq,
      frameSeq: draft?.frameSeq ?? 0,
      index: reuseActorIndex(draft?.index, index),
      createdAt: draft?.createdAt ?? this.#now,
      since:
        draft && before && (draft.stepped?.text ?? formatStateValue(before.value)) === text
          ? draft.since
          : this.#now,
    });
    const effects = stepped.effects.map((effect, index) =>
      this.#effect(id, seq, index, effect.type, effect.params),
    );
    this.ledger.frames(this.#draft(id), frames);
    this.#rows(rows);
    const journal = {
      actor: id,
      seq,
      at: this.#now,
      event,
      path: stepped.path,
      effects,
      note: false,
    };
    this.ledger.step({ id, before, after, journal });
    return seq;
  }

  #effect(
    actor: string,
    seq: number,
    index: number,
    type: string,
    params: unknown,
  ): { type: string; id?: string } {
    const effectId = `${actor}/${seq}/${index}`;
    // The chart's types tie params to the name; here they are cast back.
    const of = <K extends keyof IntrinsicParams>(_type: K) => params as IntrinsicParams[K];
    switch (type) {
      case 'timer.set': {
        const { name, due, event } = of(type);
        this.ledger.timer(actor, name, { actor, name, due, event });
        break;
      }
      case 'timer.cancel':
        this.ledger.timer(actor, of(type).name, undefined);
        break;
      case 'actor.start': {
        const { chart, id, input } = of(type);
        if (!this.#scope.charts.has(chart))
          throw new KernelError(
            'chart-error',
            `${actor} wants to start ${id} with ${chart}, which is not a chart`,
          );
        this.#start(chart, id, input);
        break;
      }
      case 'actor.send':
        this.ledger.mail({ id: effectId, ...of(type) });
        break;
      case 'row.put':
        this.#row({ op: 'put', ...of(type) });
        break;
      case 'row.patch':
        this.#row({ op: 'patch', ...of(type) });
        break;
      case 'row.drop':
        this.#row({ op: 'drop', ...of(type) });
        break;
      case 'frame.add':
        this.#frame(actor, of(type));
        break;
      default: {
        const row: OutboxRow = {
          effectId,
          actor,
          seq,
          type,
          params,
          attempt: 1,
          startedSeq: seq,
          cleanStop: false,
        };
        this.ledger.newEffect(row);
        return { type, id: effectId };
      }
    }
    return { type };
  }

  #rows(changes: readonly RowChange[]): void {
    for (const change of changes) this.#row(change);
  }

  /** Throws KernelError `chart-error` for a row that the store refuses. */
  #row(change: RowChange): void {
    const problem = this.#scope.store.rowProblem?.(change) ?? null;
    if (problem !== null) throw createRowsRefusal(problem);
    this.ledger.row(change);
  }

  #frame(own: string, { actor = own, kind, data }: IntrinsicParams['frame.add']): void {
    this.ledger.frames(this.#draft(actor), [{ kind, data }]);
  }

  #draft(id: string): Draft {
    const draft = this.ledger.find(id);
    if (!draft) throw new KernelError('unknown-actor', `There is no actor ${id}`);
    draft.base?.assertReadable();
    return draft;
  }
}

const keepEffectDone = ({ effectDone = '' }: Work): Work => ({ effectDone });
function wrapListingError<T>(
  chart: DurableChart,
  id: string,
  event: DurableEvent,
  run: () => T,
): T {
  try {
    return run();
  } catch (error) {
    throw new KernelError(
      'chart-error',
      `Chart ${chart.id} could not list ${id} after ${event.type}: ${readThrownMessage(error)}`,
      error,
    );
  }
}
