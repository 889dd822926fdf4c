import { describeUnusualCharacters } from '../../base/text/codePoints.ts';
import type { Findings } from './findings.ts';
import type { KeyPath, Positions } from './positions.ts';
import { STATUS_PATTERN } from './workflowShape.ts';

/**
 * Statuses by which the runner and filters tell what a job waits for or how it ended, with
 * replacements.
 */
const RESERVED: Readonly<Record<string, string>> = {
  queued: 'Write what the job does in this phase, such as coding.',
  complete: 'Write what the job does in this phase, such as reporting.',
  failed: 'Write what the job does in this phase, such as repairing.',
  escalated: 'Write what the job does in this phase, such as reviewing.',
  cancelled: 'Write what the job does in this phase, such as cleaning-up.',
  'awaiting-children':
    'Write awaiting-sub-runs: the older name is read as awaiting-sub-runs, so no filter would find it.',
};

export const RESERVED_STATUSES: readonly string[] = Object.keys(RESERVED);

/**
 * Statuses of a job that waits for a person, or that sound like an end: they mislead on a phase
 * with a working agent.
 */
const MISLEADING: Readonly<Record<string, string>> = {
  'awaiting-plan-approval':
    'Write status: planning and interactive_checkpoint: true; svc shows awaiting-plan-approval while the job waits.',
  'awaiting-developer-input':
    'Write what the agent does, such as reviewing; svc shows awaiting-developer-input when the job needs a person.',
  paused: 'Write what the agent does, such as coding. A job is paused by a person.',
  archived: 'Write what the agent does, such as reporting.',
};

/**
 * For every key with a status. `initial_status` may be `queued`, as the job is. `works`: an agent
 * runs while it is shown.
 */
export function checkStatusKey(
  status: string,
  path: KeyPath,
  positions: Positions,
  findings: Findings,
  works = false,
): void {
  if (works && Object.hasOwn(MISLEADING, status)) {
    const message = `The status ${status} is shown for jobs that wait or are over, but an agent works in this phase.`;
    findings.addWarning(
      'reserved-status',
      positions.value(path),
      message,
      MISLEADING[status] ?? '',
    );
    return;
  }
  if (Object.hasOwn(RESERVED, status) && !(status === 'queued' && path[0] === 'initial_status')) {
    const message = `The status ${status} is reserved by the runner: a job in this phase would be mistaken for another state.`;
    findings.error('reserved-status', positions.value(path), message, RESERVED[status] ?? '');
    return;
  }
  if (STATUS_PATTERN.test(status)) return;
  const near = status
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^[^a-z]+|-+$/g, '');
  const message = `The status ${JSON.stringify(status)} must contain only lowercase alphanumeric characters and hyphens.${describeUnusualCharacters(status)}`;
  findings.error(
    'bad-status',
    positions.value(path),
    message,
    near ? `Write ${near}.` : 'Write a status such as coding.',
  );
}
