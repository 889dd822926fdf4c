import type { Client } from '../../src/client/client.ts';
import type { JobSummary } from '../../src/schema/job.ts';
import type { InboxStore } from './inboxStore.ts';

/** Jobs of one request. */
const PAGE = 500;
/** Most jobs that the inbox lists: those that wait longest. All are counted. */
export const MAX_INBOX = 2_000;

/** Reads everything that waits for a person into the store. Never throws. */
export async function readInbox(client: Pick<Client, 'jobs'>, inbox: InboxStore): Promise<void> {
  inbox.trigger.asked();
  try {
    const jobs: JobSummary[] = [];
    let total = 1;
    while (jobs.length < Math.min(total, MAX_INBOX)) {
      const query = { needs: 'me' as const, sort: 'since' as const };
      const page = await client.jobs({ ...query, limit: PAGE, offset: jobs.length });
      total = page.total;
      if (page.jobs.length === 0) break;
      jobs.push(...page.jobs);
    }
    inbox.trigger.listed({ jobs, total });
  } catch (problem) {
    inbox.trigger.unreadable({ problem });
  }
}
