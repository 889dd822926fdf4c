import type { Client } from '../../src/api/client/client.ts';
import type { Job } from '../../src/contract/schema/job/job.ts';
import { readPlan } from './readPlan.ts';
import type { JobItem } from './inboxItems.ts';

export interface ReadItem {
  job: Job;
  events: ReadonlySet<string>;
}

/** Jobs that are kept: the open one, its neighbours, and a few earlier ones. */
const MOST_KEPT = 8;

interface KeptReading {
  stamp: string;
  reading: Promise<ReadItem>;
}

/** Changes with everything that an answer could depend on; a dismissal is not a step of the job. */
const computeItemStamp = (item: JobItem | null): string =>
  item === null ? '' : `${item.job.updatedAt} ${item.ask}`;

export type ItemReadings = ReturnType<typeof createItemReadings>;

/** Reads jobs for the inbox, each once for each of its states: the next one before it is opened. */
export function createItemReadings(client: Pick<Client, 'job' | 'why' | 'artefact'>) {
  const readings = new Map<string, KeptReading>();

  async function ask(id: string): Promise<ReadItem> {
    const [job, why] = await Promise.all([client.job(id), client.why(id)]);
    const open = why.waysOut.filter(({ open: is }) => is !== false);
    return { job, events: new Set(open.map(({ event }) => event)) };
  }

  function read(id: string, item: JobItem | null): Promise<ReadItem> {
    const stamp = computeItemStamp(item);
    const before = readings.get(id);
    if (before?.stamp === stamp && stamp !== '') return before.reading;
    const reading = ask(id);
    readings.delete(id);
    readings.set(id, { stamp, reading });
    const [oldest] = readings.keys();
    if (readings.size > MOST_KEPT && oldest !== undefined) readings.delete(oldest);
    // A failed read is repeated for the next caller.
    reading.catch(() => readings.get(id)?.reading === reading && readings.delete(id));
    return reading;
  }

  return {
    /** The job; `item`: what is known of it in the list. */
    read,
    /** Makes the next `read` ask the runner. */
    forget: (id: string): void => void readings.delete(id),
    /** Reads what opening an item will show. Never rejects. */
    async prefetch(item: JobItem): Promise<void> {
      try {
        const { job } = await read(item.id, item);
        const planId = job.approval?.artefactId ?? null;
        if (planId !== null) await readPlan(client, job.id, planId);
      } catch {
        // The item itself shows the error once it is opened.
      }
    },
  };
}
