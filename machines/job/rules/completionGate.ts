import type { WorkItem } from '../../../src/schema/workItem.ts';
import type { PrRef } from '../jobContext.ts';
import { inOneLine } from './quoted.ts';
import { shorten } from '../../../src/domain/clip.ts';
import { MAX_PROMPT_CHARS, MAX_KEPT_REASON_CHARS } from '../../../src/domain/jobLimits.ts';

/** Work items that keep a job from being complete: those neither complete nor escalated. */
export const blockingItems = <Item extends Pick<WorkItem, 'status'>>(
  items: readonly Item[],
): Item[] => items.filter(({ status }) => status === 'pending' || status === 'in-progress');

/**
 * Whether the job may complete. Without work items the gate is skipped. `failed`: this block is the
 * last one allowed.
 */
export function completionGate(
  items: readonly WorkItem[],
  blocksBefore: number,
  limit: number,
): 'passed' | 'blocked' | 'failed' {
  if (blockingItems(items).length === 0) return 'passed';
  return blocksBefore + 1 >= limit ? 'failed' : 'blocked';
}

const nameOf = ({ id, title, status }: WorkItem): string =>
  `${id} (${status}): ${inOneLine(title)}`;

/** The pull requests of a work item: those that it names, and those that were opened for it. */
export const prsOf = <Pr extends Pick<PrRef, 'prId' | 'workItem'>>(
  item: Pick<WorkItem, 'id' | 'prIds'>,
  prs: readonly Pr[],
): Pr[] => prs.filter(({ prId, workItem }) => item.prIds.includes(prId) || workItem === item.id);

const listOf = (prs: readonly PrRef[]): string =>
  prs.length === 0 ? 'none' : prs.map(({ prId }) => prId).join(', ');

const MARK = '[completion-gate]';

/** Whether it is a prompt of {@link correctivePrompt}. */
export const isGatePrompt = (prompt: string | null): boolean => prompt?.startsWith(MARK) ?? false;

/**
 * The prompt of the run that follows a block: the blocking items, each with its pull requests, open
 * and merged apart.
 */
export function correctivePrompt(
  items: readonly WorkItem[],
  prs: readonly PrRef[],
  block: number,
  limit: number,
): string {
  const blocking = blockingItems(items);
  const lines = blocking.map((item) => {
    const own = prsOf(item, prs);
    const open = own.filter(({ state }) => state === 'open');
    const merged = own.filter(({ state }) => state === 'merged');
    return `- ${nameOf(item)}; open pull requests: ${listOf(open)}; merged: ${listOf(merged)}`;
  });
  const text = [
    `${MARK} The job cannot complete yet: ${blocking.length} work item(s) are not closed (block ${block} of ${limit}; the last one fails the job).`,
    ...lines,
    'For each of them: when its work is done and merged, set it to complete with update_work_item; when work is missing, use goto_phase to do it; when it cannot be done, set it to escalated or call escalate.',
  ];
  return shorten(text.join('\n'), MAX_PROMPT_CHARS);
}

/** One line for the job's log. */
export const gateLine = (items: readonly WorkItem[], block: number, limit: number): string => {
  const ids = blockingItems(items).map(({ id, status }) => `${id} (${status})`);
  return shorten(
    `blocked ${block} of ${limit}: not closed: ${ids.join(', ')}`,
    MAX_KEPT_REASON_CHARS,
  );
};

/** The escalationMessage of a job that the gate failed: names the unclosed work items. */
export const gateFailure = (items: readonly WorkItem[], limit: number): string =>
  shorten(
    `completion gate: ${limit} blocks in a row; work items not closed: ${blockingItems(items)
      .map(({ id, status }) => `${id} (${status})`)
      .join(', ')}`,
    MAX_KEPT_REASON_CHARS,
  );
