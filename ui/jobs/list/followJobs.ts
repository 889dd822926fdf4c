import type { Client } from '../../../src/api/client/client.ts';
import { waitAbortable } from '../../../src/api/client/stream.ts';
import { watchJobs } from '../../../src/api/client/watchJobs.ts';
import type { JobSummary } from '../../../src/contract/schema/job/job.ts';
import type { RunnerConnection } from '../../shell/connection/connection.ts';
import { leadOneTab } from '../../shell/connection/leadOneTab.ts';
import type { InboxStore } from '../../inbox/inboxStore.ts';
import { readInbox, readProposals } from '../../inbox/readInbox.ts';
import { throttleCalls } from './throttleCalls.ts';
import type { JobsStore } from './jobsStore.ts';

/** Shortest time between two counts, ms: a busy runner changes many jobs a second. */
const COUNT_MS = 1_000;
/**
 * Time between two counts of a visible page, ms, while no job changes: proposals cause no events.
 */
const COUNT_AGAIN_MS = 10_000;
/** Changes are shown in batches, so that a busy runner does not redraw the list for each, ms. */
const BATCH_MS = 50;
/** How long the first list waits for the stream, ms: a proxy may let none through. */
const STREAM_PATIENCE_MS = 400;
/** Longest wait for the runner, ms: a person is watching the page. */
const LONGEST_WAIT_MS = 1_000;

interface FollowJobs {
  client: Client;
  jobs: JobsStore;
  inbox: InboxStore;
  connection: Pick<RunnerConnection, 'broke' | 'look'>;
  signal: AbortSignal;
}

/** What the tab that holds the stream sends to the others. */
type ReportedEvent = { type: 'open' } | { type: 'lost' } | { type: 'changed'; jobs: JobSummary[] };

/**
 * Keeps counts, and what waits for a person, as the runner has them, over losses of the connection,
 * and passes on what changes. One tab of the browser holds the stream for all of them. Ends with the
 * signal, or with a refusal.
 */
export async function followJobs(options: FollowJobs): Promise<void> {
  const { client, jobs, inbox, connection, signal } = options;

  async function recount(): Promise<void> {
    try {
      const counts = await client.jobCounts();
      jobs.trigger.counted({ counts });
      // Items beyond the inbox's limit come and go unseen.
      const { items, total, proposals } = inbox.getSnapshot().context;
      const isCut = items.length < total;
      if (isCut && total - proposals !== counts.needs.me) await readInbox(client, inbox);
      // No stream reports proposals.
      if (proposals !== counts.needs.proposals) await readProposals(client, inbox);
    } catch (problem) {
      jobs.trigger.unreadable({ problem });
    }
  }

  const countSoon = throttleCalls(COUNT_MS, recount, signal);
  const again = setInterval(() => document.hidden || countSoon(), COUNT_AGAIN_MS);
  signal.addEventListener('abort', () => clearInterval(again), { once: true });
  const read = () => {
    jobs.trigger.opened();
    void readInbox(client, inbox);
    void readProposals(client, inbox);
    countSoon();
  };

  // Not before the stream: what changes between a list and the stream would be missed, and all
  // would have to be read again.
  const withoutStream = setTimeout(read, STREAM_PATIENCE_MS);
  let isOpen = false;

  function hear(event: ReportedEvent): void {
    if (event.type === 'changed') {
      jobs.trigger.changed({ jobs: event.jobs });
      inbox.trigger.changed({ jobs: event.jobs });
      countSoon();
    } else if (event.type === 'lost') connection.broke();
    else {
      // It heals what was lost as well: the runner answers.
      void connection.look();
      clearTimeout(withoutStream);
      read();
    }
  }

  async function lead(until: AbortSignal, tell: (event: ReportedEvent) => void): Promise<void> {
    const both = (event: ReportedEvent) => {
      hear(event);
      tell(event);
    };
    let changedJobs: JobSummary[] = [];
    const flush = () => {
      both({ type: 'changed', jobs: changedJobs });
      changedJobs = [];
    };
    await watchJobs({
      client,
      signal: until,
      onOpen() {
        isOpen = true;
        both({ type: 'open' });
      },
      onJob(job) {
        if (changedJobs.length === 0) setTimeout(flush, BATCH_MS);
        changedJobs.push(job);
      },
      onLost() {
        isOpen = false;
        both({ type: 'lost' });
      },
      wait: (ms, stop) => waitAbortable(Math.min(ms, LONGEST_WAIT_MS), stop),
    }).finally(() => {
      isOpen = false;
    });
  }

  try {
    await leadOneTab<ReportedEvent>(`svc list of jobs ${client.baseUrl}`, signal, {
      lead,
      hear,
      answer: () => (isOpen ? { type: 'open' } : { type: 'lost' }),
    });
  } catch (problem) {
    jobs.trigger.unreadable({ problem });
    inbox.trigger.unreadable({ problem });
  } finally {
    clearTimeout(withoutStream);
    clearInterval(again);
  }
}
