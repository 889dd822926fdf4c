import type { DurableChart } from './chart.ts';
import type { CommitNotice, InspectionEvent } from './contract.ts';
import type { Report } from './work.ts';

type Observer = (event: InspectionEvent) => void;

/** Marks events as XState 5's own, as inspectors expect. */
const VERSION = '5';

/** Shows committed steps to inspectors like those of live actors. */
export class Inspection {
  readonly #charts: ReadonlyMap<string, DurableChart>;
  readonly #report: Report;
  /** Observer → actors that it knows of. */
  readonly #observers = new Map<Observer, Set<string>>();

  constructor(charts: ReadonlyMap<string, DurableChart>, report: Report) {
    this.#charts = charts;
    this.#report = report;
  }

  observe(observer: Observer): () => void {
    this.#observers.set(observer, new Set());
    return () => this.#observers.delete(observer);
  }

  show({ steps }: CommitNotice): void {
    for (const [observer, met] of this.#observers) {
      for (const step of steps) {
        try {
          for (const event of this.#listEvents(step, met)) observer(event);
        } catch (error) {
          this.#report('inspection observer', error);
        }
      }
    }
  }

  *#listEvents(
    { id, before, after, journal }: CommitNotice['steps'][number],
    metActors: Set<string>,
  ): Generator<InspectionEvent> {
    const createdAt = String(journal.at);
    const head = { sessionId: id, rootId: id, createdAt, _version: VERSION };
    const plain = ({ value, tags, status, context }: typeof after) => ({
      value,
      tags: [...tags],
      status,
      context,
    });
    if (!metActors.has(id)) {
      metActors.add(id);
      const definition = JSON.stringify(this.#charts.get(after.chart)?.machine.config);
      yield {
        type: '@xstate.actor',
        ...head,
        name: id,
        id: `${id}/0`,
        definition,
        snapshot: plain(before ?? after),
      };
    }
    const event = journal.event;
    yield { type: '@xstate.event', ...head, id: `${id}/${journal.seq}`, sourceId: null, event };
    yield {
      type: '@xstate.snapshot',
      ...head,
      id: `${id}/${journal.seq}`,
      event,
      snapshot: plain(after),
    };
  }
}
