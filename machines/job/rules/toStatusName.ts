import type { StateValue } from 'xstate';
import type { JobContext } from '../jobContext.ts';
import { readFirstNames } from '../../../src/base/json/listLeafPaths.ts';
import { findCurrentWorkItem } from './workItems.ts';

/** Legacy name → today's name. */
const LEGACY: Readonly<Record<string, string>> = { 'awaiting-children': 'awaiting-sub-runs' };

type StatusSource = Pick<JobContext, 'visit' | 'status' | 'workItems'>;

/**
 * The public status: how the job ended; `queued` before its first visit; else the phase's status,
 * with `:<id>` while a work item is in progress.
 */
export function toStatusName(value: StateValue, context: StatusSource): string {
  const [top, leaf] = readFirstNames(value);
  if (top === 'ended' && leaf) return leaf;
  if (context.visit === 0) return 'queued';
  const item = findCurrentWorkItem(context);
  return item ? `${context.status}:${item.id}` : context.status;
}

/** The parts of a public status; legacy names become current ones. `workItem` null = none. */
export function parseStatus(status: string): { status: string; workItem: string | null } {
  const colon = status.indexOf(':');
  const base = colon < 0 ? status : status.slice(0, colon);
  return { status: LEGACY[base] ?? base, workItem: colon < 0 ? null : status.slice(colon + 1) };
}
