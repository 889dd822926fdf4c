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
 * Whether the job may complete. Without work items they do not matter. `forbidden`: a rule about the
 * job does not let it complete yet. `failed`: this block is the last one allowed.
 */
export function completionGate(
  items: readonly WorkItem[],
  blocksBefore: number,
  limit: number,
  forbidden = false,
): 'passed' | 'blocked' | 'failed' {
  if (blockingItems(items).length === 0 && !forbidden) return 'passed';
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
 * and merged apart; and what a rule says that forbids it to complete.
 */
export function correctivePrompt(
  items: readonly WorkItem[],
  prs: readonly PrRef[],
  block: number,
  limit: number,
  forbidden?: string,
): string {
  const blocking = blockingItems(items);
  const lines = blocking.map((item) => {
    const own = prsOf(item, prs);
    const open = own.filter(({ state }) => state === 'open');
    const merged = own.filter(({ state }) => state === 'merged');
    return `- ${nameOf(item)}; open pull requests: ${listOf(open)}; merged: ${listOf(merged)}`;
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

/** One line for the job's log. */
export const gateLine = (
  items: readonly WorkItem[],
  block: number,
  limit: number,
  forbidden?: string,
): string =>
  shorten(
    `blocked ${block} of ${limit}: ${reasons(items, 'not closed', forbidden)}`,
    MAX_KEPT_REASON_CHARS,
  );

function reasons(items: readonly WorkItem[], what: string, forbidden: string | undefined): string {
  const ids = blockingItems(items).map(({ id, status }) => `${id} (${status})`);
  return [
    ...(ids.length > 0 || forbidden === undefined ? [`${what}: ${ids.join(', ')}`] : []),
    ...(forbidden === undefined ? [] : [forbidden]),
  ].join('; ');
}

/**
 * The escalationMessage of a job that the gate failed: names the unclosed work items, and the rule
 * that forbids it to complete.
 */
export const gateFailure = (
  items: readonly WorkItem[],
  limit: number,
  forbidden?: string,
): string =>
  shorten(
    `completion gate: ${limit} blocks in a row; ${reasons(items, 'work items not closed', forbidden)}`,
    MAX_KEPT_REASON_CHARS,
  );
