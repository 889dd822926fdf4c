import type { Client } from '../../src/api/client/client.ts';
import type { JobSummary } from '../../src/contract/schema/job/job.ts';
import type { ProposalSummary } from '../../src/contract/schema/workflow/proposal.ts';
import type { InboxStore } from './inboxStore.ts';

/** Jobs of one request. */
const PAGE = 500;
/** Most jobs that the inbox lists: those that wait longest. All are counted. */
export const MAX_INBOX = 2_000;

/** Proposals of one request. */
const PROPOSALS_PAGE = 200;

/** Reads the waiting proposals; known ones stay when they cannot be read. Never throws. */
export async function readProposals(
  client: Pick<Client, 'proposals'>,
  inbox: InboxStore,
): Promise<void> {
  try {
    const proposals: ProposalSummary[] = [];
    let total = 1;
    while (proposals.length < Math.min(total, MAX_INBOX)) {
      const page = await client.proposals({
        needs: 'me',
        limit: PROPOSALS_PAGE,
        offset: proposals.length,
      });
      total = page.total;
      if (page.proposals.length === 0) break;
      proposals.push(...page.proposals);
    }
    inbox.trigger.proposed({ proposals, total });
  } catch {
    // The page of proposals says why.
    inbox.trigger.unproposed();
  }
}

/** Reads every job that waits for a person into the store. Never throws. */
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
