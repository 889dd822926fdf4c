import type { WorkItem } from '../../../src/contract/schema/job/workItem.ts';
import { countJsonBytes, MAX_WORK_ITEMS_BYTES } from './limits.ts';
import { MAX_PRS_PER_ITEM, MAX_WORK_ITEMS } from '../../../src/base/limits/jobLimits.ts';

/** The work item in progress; there is at most one. */
export const findCurrentWorkItem = ({
  workItems,
}: {
  workItems: readonly WorkItem[];
}): WorkItem | undefined => workItems.find(({ status }) => status === 'in-progress');

/** What is wrong with a list of work items, in sentences; empty = nothing. */
export function findWorkItemProblems(items: readonly WorkItem[]): string[] {
  const problems: string[] = [];
  const ids = new Set<string>();
  const twice = items.filter(({ id }) => ids.size === ids.add(id).size).map(({ id }) => id);
  if (twice.length > 0)
    problems.push(`work item ids must be unique; duplicates: ${twice.join(', ')}`);
  const busy = items.filter(({ status }) => status === 'in-progress').map(({ id }) => id);
  if (busy.length > 1)
    problems.push(
      `at most one work item may be in-progress, not ${busy.length} (${busy.join(', ')})`,
    );
  if (items.length > MAX_WORK_ITEMS)
    problems.push(`a job has at most ${MAX_WORK_ITEMS} work items, not ${items.length}`);
  const crowdedIds = items
    .filter(({ prIds }) => prIds.length > MAX_PRS_PER_ITEM)
    .map(({ id }) => id);
  if (crowdedIds.length > 0)
    problems.push(
      `a work item has at most ${MAX_PRS_PER_ITEM} pull requests; more have ${crowdedIds.join(', ')}`,
    );
  const bytes = countJsonBytes(items);
  if (bytes > MAX_WORK_ITEMS_BYTES)
    problems.push(
      `the list takes ${bytes} bytes of at most ${MAX_WORK_ITEMS_BYTES}: use shorter titles or fewer items`,
    );
  return problems;
}

export interface WorkItemUpdate {
  id: string;
  status?: WorkItem['status'];
  title?: string;
  prIds?: string[];
}

/** Changes one item; returns the same list if it does not exist. */
export const applyWorkItemUpdate = (
  items: readonly WorkItem[],
  { id, status, title, prIds }: WorkItemUpdate,
): WorkItem[] =>
  items.map((item) =>
    item.id === id
      ? {
          ...item,
          status: status ?? item.status,
          title: title ?? item.title,
          prIds: prIds ?? item.prIds,
        }
      : item,
  );

/**
 * Replaces the list. An existing item keeps its loop count, which only the runner changes, and its
 * pull requests if the new list names none.
 */
export const replaceWorkItems = (
  old: readonly WorkItem[],
  items: readonly WorkItem[],
): WorkItem[] =>
  items.map((item) => {
    const before = old.find(({ id }) => id === item.id);
    if (!before) return { ...item, loopCount: 0 };
    return {
      ...item,
      loopCount: before.loopCount,
      prIds: item.prIds.length > 0 ? item.prIds : before.prIds,
    };
  });

/** Adds a pull request to an item, once. A full item stays unchanged. */
export const addPrToWorkItem = (
  items: readonly WorkItem[],
  itemId: string | undefined,
  prId: string,
): WorkItem[] =>
  items.map((item) =>
    item.id === itemId && !item.prIds.includes(prId) && item.prIds.length < MAX_PRS_PER_ITEM
      ? { ...item, prIds: [...item.prIds, prId] }
      : item,
  );

export const countWorkItemLoop = (items: readonly WorkItem[], itemId: string): WorkItem[] =>
  items.map((item) => (item.id === itemId ? { ...item, loopCount: item.loopCount + 1 } : item));
