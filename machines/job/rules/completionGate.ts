import type { WorkItem } from '../../../src/contract/schema/job/workItem.ts';
import type { PrRef, JobContext } from '../jobContext.ts';
import { flattenUntrustedText } from './quoteUntrustedText.ts';
import { shorten } from '../../../src/base/text/clip.ts';
import { MAX_PROMPT_CHARS, MAX_KEPT_REASON_CHARS } from '../../../src/base/limits/jobLimits.ts';

/** For people: `complete, 2 sub-runs failed, 1 escalated` if some sub-runs did not succeed. */
export function describeCompletion({ failed, escalated }: JobContext['subRunFailures']): string {
  const words = [
    ...(failed > 0 ? [`${failed} ${failed === 1 ? 'sub-run' : 'sub-runs'} failed`] : []),
    ...(escalated > 0
      ? [`${escalated} ${failed > 0 ? '' : escalated === 1 ? 'sub-run ' : 'sub-runs '}escalated`]
      : []),
  ];
  return ['complete', ...words].join(', ');
}

/** Work items that are neither complete nor escalated. */
export const listBlockingItems = <Item extends Pick<WorkItem, 'status'>>(
  items: readonly Item[],
): Item[] => items.filter(({ status }) => status === 'pending' || status === 'in-progress');

/** Whether the job may complete. `forbidden`: by a rule. `failed`: the last allowed block. */
export function decideCompletion(
  items: readonly WorkItem[],
  blocksBefore: number,
  limit: number,
  forbidden = false,
): 'passed' | 'blocked' | 'failed' {
  if (listBlockingItems(items).length === 0 && !forbidden) return 'passed';
  return blocksBefore + 1 >= limit ? 'failed' : 'blocked';
}

const describeBlockingItem = ({ id, title, status }: WorkItem): string =>
  `${id} (${status}): ${flattenUntrustedText(title)}`;

/** Pull requests that a work item names or that were opened for it. */
export const listWorkItemPrs = <Pr extends Pick<PrRef, 'prId' | 'workItem'>>(
  item: Pick<WorkItem, 'id' | 'prIds'>,
  prs: readonly Pr[],
): Pr[] => prs.filter(({ prId, workItem }) => item.prIds.includes(prId) || workItem === item.id);

const joinPrIds = (prs: readonly PrRef[]): string =>
  prs.length === 0 ? 'none' : prs.map(({ prId }) => prId).join(', ');

const MARK = '[completion-gate]';

/** Whether it is a prompt of {@link buildCorrectivePrompt}. */
export const isGatePrompt = (prompt: string | null): boolean => prompt?.startsWith(MARK) ?? false;

/**
 * The prompt after a block: blocking items with their open and merged pull requests, and what a
 * rule says that forbids completion.
 */
export function buildCorrectivePrompt(
  items: readonly WorkItem[],
  prs: readonly PrRef[],
  block: number,
  limit: number,
  forbidden?: string,
): string {
  const blocking = listBlockingItems(items);
  const lines = blocking.map((item) => {
    const own = listWorkItemPrs(item, prs);
    const open = own.filter(({ state }) => state === 'open');
    const merged = own.filter(({ state }) => state === 'merged');
    return `- ${describeBlockingItem(item)}; open pull requests: ${joinPrIds(open)}; merged: ${joinPrIds(merged)}`;
  });
  const count = `(block ${block} of ${limit}; the last one fails the job)`;
  const open = [
    `${MARK} The job cannot complete yet: ${blocking.length} work item(s) are not closed ${count}.`,
    ...lines,
    'For each of them: when its work is done and merged, set it to complete with update_work_item; when work is missing, use goto_phase to do it; when it cannot be done, set it to escalated or call escalate.',
  ];
  const text = [
    ...(blocking.length > 0 ? open : [`${MARK} The job cannot complete yet ${count}.`]),
    ...(forbidden === undefined ? [] : [`To complete: ${forbidden}`]),
  ];
  return shorten(text.join('\n'), MAX_PROMPT_CHARS);
}

export const describeGateBlock = (
  items: readonly WorkItem[],
  block: number,
  limit: number,
  forbidden?: string,
): string =>
  shorten(
    `blocked ${block} of ${limit}: ${describeGateReasons(items, 'not closed', forbidden)}`,
    MAX_KEPT_REASON_CHARS,
  );

function describeGateReasons(
  items: readonly WorkItem[],
  what: string,
  forbidden: string | undefined,
): string {
  const ids = listBlockingItems(items).map(({ id, status }) => `${id} (${status})`);
  return [
    ...(ids.length > 0 || forbidden === undefined ? [`${what}: ${ids.join(', ')}`] : []),
    ...(forbidden === undefined ? [] : [forbidden]),
  ].join('; ');
}

/** The escalationMessage of a failed gate: unclosed work items, and the forbidding rule. */
export const describeGateFailure = (
  items: readonly WorkItem[],
  limit: number,
  forbidden?: string,
): string =>
  shorten(
    `completion gate: ${limit} blocks in a row; ${describeGateReasons(items, 'work items not closed', forbidden)}`,
    MAX_KEPT_REASON_CHARS,
  );
