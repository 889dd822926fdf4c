import type { Client } from '../src/api/client/client.ts';
import type { Job } from '../src/contract/schema/job/job.ts';

const QUESTION =
  'Good. What about a title that is nothing but dashes and spaces? Please add a test.';

/**
 * The stand-in for a person: approves the plan that it has seen, asks for one more test on the pull
 * request, and merges when that is answered. It reads the current state each time, so it may be
 * called again after a crash.
 *
 * @returns what it did, in words, or null when there was nothing to do
 */
export const actAsReviewer = async (client: Client, job: Job): Promise<string | null> => {
  if (job.parked?.kind === 'approval') {
    await client.resume(job.id, {
      eventKey: 'approve',
      ...(job.approval?.shown ? { shown: job.approval.shown } : {}),
    });
    return `approved the plan of ${job.phase}`;
  }
  const open = job.prMappings.find(({ state }) => state === 'open');
  if (job.parked?.kind !== 'event' || !open) return null;
  const { thread } = await client.pullRequest(open.repo, open.number);
  const question = thread.find(({ author }) => author === 'reviewer');
  if (!question) {
    await client.commentPullRequest(open.repo, open.number, { author: 'reviewer', body: QUESTION });
    return `commented on ${open.prId}: ${QUESTION}`;
  }
  if (!thread.some(({ inReplyTo }) => inReplyTo === question.id)) return null;
  await client.mergePullRequest(open.repo, open.number, { author: 'reviewer' });
  return `merged ${open.prId}`;
};
