import type { JobContext, PrRef } from '../jobContext.ts';
import { listWorkItemPrs } from './completionGate.ts';

/** The pull requests of a job, and the work items that they belong to. */
export type OwnPrs = Pick<JobContext, 'prs' | 'workItems'>;

/**
 * The open pull requests beside this one that belong to the same work items; of one that belongs to
 * none, all other open ones of the job.
 */
export function listOpenPrsBeside(prId: string, { prs, workItems }: OwnPrs): PrRef[] {
  const others = prs.filter((pr) => pr.prId !== prId && pr.state === 'open');
  const own = prs.filter((pr) => pr.prId === prId);
  const items = workItems.filter((item) => listWorkItemPrs(item, own).length > 0);
  if (items.length === 0) return others;
  return others.filter((pr) => items.some((item) => listWorkItemPrs(item, [pr]).length > 0));
}
