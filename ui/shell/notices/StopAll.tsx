import { createSignal, Show } from 'solid-js';
import { createReading } from '../signals/createReading.ts';
import { listJobsAtRest, resumeAll } from '../../../src/api/client/resumeAll.ts';
import type { StopAllReply } from '../../../src/contract/schema/api/bodies.ts';
import { AWAY } from '../controls/CommandRow.tsx';
import { Dialog } from '../controls/Dialog.tsx';
import { useDashboard } from '../dashboard.ts';
import { Icon } from '../controls/Icon.tsx';
import { Problem } from '../problems/Problem.tsx';
import { useStore } from '../useStore.ts';
import type { JobCounts } from '../../../src/contract/schema/api/replies.ts';

/** Jobs that have not ended: those that need a person because they failed have. */
const countOpenJobs = ({ is, needs }: JobCounts) => ({
  work: is.working,
  queued: is.queued,
  wait: is.waiting + needs.decide + needs.review,
});

export const sumOpenJobs = (counts: JobCounts): number =>
  Object.values(countOpenJobs(counts)).reduce((sum, number) => sum + number, 0);

const formatJobCount = (number: number): string => `${number} ${number === 1 ? 'job' : 'jobs'}`;

export function describeOpenJobs(counts: JobCounts): string {
  const { work, queued, wait } = countOpenJobs(counts);
  const all = sumOpenJobs(counts);
  return `${formatJobCount(all)} ${all === 1 ? 'has' : 'have'} not ended: ${work} at work, ${queued} queued, ${wait} waiting.`;
}

export function describeStopAllReply({ paused, resting }: StopAllReply): string {
  const were = `${formatJobCount(paused)} ${paused === 1 ? 'is' : 'are'} paused`;
  return resting === 0
    ? `${were}.`
    : `${were}. ${formatJobCount(resting)} ${resting === 1 ? 'was' : 'were'} paused already, or ${resting === 1 ? 'waits' : 'wait'} for a person anyway.`;
}

/** Asks before every job is paused; afterwards, how they continue. */
export function StopAll() {
  const { client, shell, run } = useDashboard();
  const isLost = useStore(shell, (context) => context.lostSince !== null);
  const [counts, { refetch }] = createReading(() => client.jobCounts());
  const [reply, setReply] = createSignal<StopAllReply | null>(null);
  const [busy, setBusy] = createSignal(false);
  const close = () => shell.trigger.closed();
  const during = async (act: () => Promise<boolean>): Promise<void> => {
    if (busy() || isLost()) return;
    setBusy(true);
    const wasTaken = await act();
    setBusy(false);
    if (wasTaken && reply() === null) close();
  };
  const knownCounts = () => (counts.error ? undefined : counts());
  const isNone = () => {
    const jobCounts = knownCounts();
    return jobCounts !== undefined && sumOpenJobs(jobCounts) === 0;
  };
  const isOff = () => busy() || isLost() || isNone();
  const stop = () => {
    if (isNone()) return;
    void during(() =>
      run('All jobs are stopped.', async (to) => {
        setReply(await to.stopAll());
      }),
    );
  };
  const resume = () => {
    void during(() =>
      run('The jobs continue.', async (to) => {
        const results = await resumeAll(to, await listJobsAtRest(to, 'stop-all'));
        const [firstProblem] = results.flatMap(({ problem }) => problem ?? []);
        if (firstProblem !== undefined) throw new Error(firstProblem);
        setReply(null);
      }),
    );
  };
  return (
    <Dialog label="Stop all jobs" close={close} submit={() => reply() === null && stop()}>
      <Show
        when={reply()}
        fallback={
          <div class="stack">
            <h2>Stop all jobs?</h2>
            <Show when={counts.error}>
              <Problem error={counts.error} retry={() => void refetch()} />
            </Show>
            <p>
              <Show when={knownCounts()} fallback="Counting the jobs …">
                {(jobCounts) => describeOpenJobs(jobCounts())}
              </Show>
            </p>
            <ul>
              <li>Each job is paused in its phase; running sessions are interrupted.</li>
              <li>Nothing is cancelled, and no work is lost.</li>
              <li>They stay paused, even after a restart, until you resume them.</li>
              <li>Jobs created afterwards, for example by triggers, do run.</li>
            </ul>
            <div class="row">
              <button
                type="button"
                class="danger"
                disabled={isOff()}
                title={isLost() ? AWAY : undefined}
                onClick={stop}
              >
                <Icon name="stop" />
                <Show when={knownCounts()} fallback="Pause all jobs">
                  {(jobCounts) => `Pause ${formatJobCount(sumOpenJobs(jobCounts()))}`}
                </Show>
              </button>
              <button type="button" autofocus onClick={close}>
                Cancel
              </button>
            </div>
          </div>
        }
      >
        {(result) => (
          <div class="stack">
            <h2>All jobs are stopped</h2>
            <p role="status">{describeStopAllReply(result())}</p>
            <p>
              <em>Resume them</em> continues these jobs. Later, select them in the list of jobs and
              resume them there.
            </p>
            <div class="row">
              <button
                type="button"
                disabled={busy() || isLost() || result().paused === 0}
                onClick={resume}
              >
                <Icon name="play" /> Resume them
              </button>
              <button
                type="button"
                class="primary"
                ref={(button) => queueMicrotask(() => button.focus())}
                onClick={close}
              >
                Close
              </button>
            </div>
          </div>
        )}
      </Show>
    </Dialog>
  );
}
