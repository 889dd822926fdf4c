import { appendFileSync } from 'node:fs';
import type { Port } from '../../kernel/port.ts';
import type { Batch, DurableStore } from '../../kernel/writer.ts';

/** Counts the points at which a crash is worth testing, and dies at one of them. */
export interface FaultPlan {
  /**
   * Where it kills itself: a point's number since the start (`17`) or its name and ordinal
   * (`effect:session.open:before#2`).
   */
  dieAt: string | null;
  /**
   * File that gets a line `<number> <name>#<ordinal>` as each point is reached, also the last one;
   * null = none.
   */
  countFile: string | null;
}

export interface FaultPoints {
  /**
   * Points before and after every commit of the store: nothing is written, and written but not
   * answered. Where a thread of its own writes, a point after the hand-over too.
   */
  wrapCommits(store: DurableStore): void;
  /** Passes the point before that hand-over: the batch is made and nothing of it is written. */
  passHandOver(): void;
  /** Points before every run of a port, and when it has acted but its outcome is not committed. */
  wrapPorts<Ports extends Readonly<Record<string, Port>>>(ports: Ports): Ports;
}

/** Names a commit alike in every run: by its events, else its rows, else its frames. */
function nameBatch({ journal, rows, frames }: Batch): string {
  const parts = [
    journal.map(({ event }) => event.type),
    rows.map(({ table }) => table),
    frames.map(({ kind }) => kind),
  ];
  const pointNames = parts.find((names) => names.length > 0) ?? ['outbox'];
  return [...new Set(pointNames)].join('+');
}

/** Numbers the points that a runner passes; `die` ends the process at once, as a crash would. */
export function createFaultPoints({ dieAt, countFile }: FaultPlan, die: () => void): FaultPoints {
  const ordinals = new Map<string, number>();
  let number = 0;
  let committing = '';
  const pass = (name: string): void => {
    number += 1;
    const ordinal = (ordinals.get(name) ?? 0) + 1;
    ordinals.set(name, ordinal);
    const point = `${name}#${ordinal}`;
    // Synchronous: the line must be there when the process is not any more.
    if (countFile !== null) appendFileSync(countFile, `${number} ${point}\n`);
    if (dieAt === point || dieAt === String(number)) die();
  };
  const around =
    (type: string, port: Port): Port =>
    async (params, run) => {
      pass(`effect:${type}:before`);
      const outcome = await port(params, run);
      pass(`effect:${type}:after`);
      return outcome;
    };

  return {
    wrapCommits(store) {
      const commit = store.commit.bind(store);
      store.commit = (batch, overlap) => {
        const name = `commit:${nameBatch(batch)}`;
        committing = name;
        pass(`${name}:before`);
        const writing = commit(batch, overlap);
        if (writing) {
          pass(`${name}:handed`);
          return writing.then(() => void pass(`${name}:after`));
        }
        pass(`${name}:after`);
        return writing;
      };
    },
    passHandOver: () => pass(`${committing}:handing`),
    wrapPorts: (ports) =>
      Object.fromEntries(
        Object.entries(ports).map(([type, port]) => [type, around(type, port)]),
      ) as typeof ports,
  };
}
