import type { JobContext } from '../../../machines/index.ts';
import type { Runner } from '../../contract/runner/runner.ts';
import type { ActorState } from '../../kernel/chart.ts';
import type { KernelUse } from '../../contract/records/changes.ts';
import type { RowReader } from '../../contract/records/rowReader.ts';
import { toIsoTime } from '../../base/time/toIsoTime.ts';
import { SvcError } from '../../base/errors/errors.ts';
import type { JobSummary } from '../../contract/schema/job/job.ts';
import type { LogFrame } from '../../contract/schema/job/frames.ts';
import { translateKernelErrors } from './refusals.ts';
import type { Requests } from './requests.ts';

interface DismissalDeps {
  kernel: Pick<KernelUse, 'submit'>;
  requests: Requests;
  rows: RowReader;
  now(): number;
  readState(jobId: string): ActorState<JobContext>;
  summary(jobId: string): JobSummary;
  /** Notifies watchers of the list, since a dismissal is not a step of the job. */
  notifyChanged(ids: readonly string[]): void;
}

/**
 * Dismisses what an ended job asks, and undoes that. The job itself does not change; when it fails
 * again, it asks again.
 */
export const createDismissals = (deps: DismissalDeps): Pick<Runner, 'dismiss' | 'undismiss'> => {
  const { kernel, requests, rows, now, readState, summary, notifyChanged: changed } = deps;

  const set =
    (aside: boolean): Runner['dismiss'] =>
    (id, { by, person = by, requestKey }) => {
      const { phase, visit } = readState(id).context;
      return requests.runOnce(
        requestKey,
        () => summary(id),
        (scope) =>
          translateKernelErrors(id, async () => {
            const { ask, since } = rows.all('job_list', { job_id: id })[0] ?? {};
            if (ask !== 'failed' && ask !== 'escalated' && ask !== 'open-pr')
              throw createDismissRefusal(id, ask ?? null);
            const at = now();
            const line = aside ? `Dismissed (${person}).` : `No longer dismissed (${person}).`;
            const data: LogFrame = {
              at: toIsoTime(at),
              phase,
              visit,
              from: 'runner',
              tag: null,
              line,
            };
            await kernel.submit({
              rows: [
                ...scope.claim(id),
                {
                  op: 'patch',
                  table: 'job_list',
                  // Applies only to what was asked then, so a job that runs again is not affected.
                  key: { job_id: id, ask, ...(since === undefined ? {} : { since }) },
                  set: { dismissed_at: aside ? at : null },
                },
              ],
              frames: [{ actor: id, frame: { kind: 'log', data } }],
            });
            changed([id]);
            return summary(id);
          }),
      );
    };

  return { dismiss: set(true), undismiss: set(false) };
};

const createDismissRefusal = (id: string, ask: string | null) =>
  new SvcError(
    'not-possible-now',
    ask === null
      ? `${id} has not failed or escalated and has left no pull request open, so nothing can be dismissed.`
      : `${id} waits for a person and cannot be dismissed: answer it, or cancel it.`,
  );
