import type { Client } from '../../src/api/client/client.ts';
import { suggestClosestName } from '../../src/base/text/findClosestName.ts';
import { SvcError } from '../../src/base/errors/errors.ts';

/** Statuses that the runner itself gives to jobs; all others come from workflows. */
const RUNNER_STATUSES = [
  'queued',
  'paused',
  'awaiting-plan-approval',
  'awaiting-developer-input',
  'awaiting-sub-runs',
  'complete',
  'failed',
  'escalated',
  'cancelled',
];

/** Refuses a status that neither runner, workflows nor `more` know: SvcError `bad-argument`. */
export async function checkKnownStatus(
  client: Pick<Client, 'workflows'>,
  flag: string,
  status: string,
  more: readonly string[] = [],
): Promise<void> {
  const workflows = await client.workflows();
  const knownStatuses = new Set([
    ...more,
    ...RUNNER_STATUSES,
    ...workflows.flatMap(({ phases }) => phases.map((phase) => phase.status)),
    // The older name of awaiting-sub-runs.
    'awaiting-children',
  ]);
  const [part = ''] = status.split(':');
  if (knownStatuses.has(status) || knownStatuses.has(part)) return;
  throw new SvcError(
    'bad-argument',
    `${flag} is "${status}", which is not a job status. ${suggestClosestName(part, [...knownStatuses])}`,
  );
}
