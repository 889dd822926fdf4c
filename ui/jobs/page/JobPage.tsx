import { createEffect, createMemo, Match, on, onCleanup, Show, Suspense, Switch } from 'solid-js';
import { useDashboard } from '../../shell/dashboard.ts';
import { isJobUnreadable } from '../../../src/base/jobs/isJobUnreadable.ts';
import { LowDisk } from '../list/LowDisk.tsx';
import { Icon } from '../../shell/controls/Icon.tsx';
import { isRunnerAway } from '../../shell/problems/explainProblem.ts';
import { Problem } from '../../shell/problems/Problem.tsx';
import type { JobTab } from '../../shell/navigation/router.ts';
import { useStore } from '../../shell/useStore.ts';
import { createJobFollower } from './followJobPage.ts';
import { formatJobTitle, pickStateTone } from '../jobText.ts';
import { describeJobState } from '../plainText.ts';
import { JobHead } from './JobHead.tsx';
import { createJobStore } from './jobStore.ts';
import { ArtefactsTab, CampaignTab, ChangesTab, ChartTab, JournalTab, LogTab } from './jobTabs.ts';
import { JobProvider, type JobView } from './jobView.ts';
import { Overview } from './Overview.tsx';
import './jobParts.css';
import './job.css';
import '../list/jobs.css';

/** One job: its head, and the tab that the address names. */
export function JobPage(props: { jobId: string; tab: JobTab; rest: readonly string[] }) {
  return (
    <Show when={props.jobId} keyed>
      {(jobId) => <OpenJob jobId={jobId} tab={props.tab} rest={props.rest} />}
    </Show>
  );
}

function OpenJob(props: { jobId: string; tab: JobTab; rest: readonly string[] }) {
  const { client, connection, jobs, shell, run, offers } = useDashboard();
  const store = createJobStore();
  const stop = new AbortController();
  onCleanup(() => stop.abort());
  const { jobId } = props;
  const follower = createJobFollower({ client, jobId, store, connection, signal: stop.signal });
  const job = useStore(store, (context) => context.job);
  const why = useStore(store, (context) => context.why);
  const problem = useStore(store, (context) => context.problem);
  const isCrowded = useStore(store, (context) => context.crowded);
  const summary = useStore(jobs, (context) => context.known.get(jobId));
  const reconnects = useStore(shell, (context) => context.healed);
  const isConnected = useStore(shell, (context) => context.lostSince === null);
  /** In a team the control plane answers while the runner of the job is away. */
  const reachable = () => isConnected() && !isRunnerAway(problem());
  const getKnownTitle = () => {
    const one = summary();
    return one && formatJobTitle(one);
  };
  follower.start();
  // What is behind the tab that most people open next.
  const hasChanges = createMemo(() => (job()?.prMappings.length ?? 0) > 0);
  createEffect(on(hasChanges, (has) => has && void ChangesTab.preload().catch(() => {})));
  // The stream of an ended job is over: the list shows when the job continues.
  createEffect(
    on([() => summary()?.updatedAt, reconnects], () => follower.look(), { defer: true }),
  );

  const open = createMemo(
    () =>
      new Set(
        (why()?.waysOut ?? []).filter(({ open: is }) => is !== false).map(({ event }) => event),
      ),
  );

  return (
    <div class="page job-page" classList={{ stale: !reachable() }}>
      <Show when={!job()}>
        <div class="page-head">
          {/* The list may know it before the runner has answered. */}
          <h1 dir="auto">{getKnownTitle() ?? jobId}</h1>
          <Show when={summary()}>
            {(last) => (
              <span class={`pill ${pickStateTone(last())}`} title={last().status}>
                {describeJobState(last())}
              </span>
            )}
          </Show>
        </div>
      </Show>
      <Show when={isCrowded()}>
        <p class="notice-line" role="status">
          <Icon name="warn" /> The log is paused: this browser shows jobs in too many windows. It
          continues when you hide or close one of them.
        </p>
      </Show>
      <Show when={isJobUnreadable(job()?.broken) && job()?.reason}>
        {(reason) => (
          <p class="notice-line" role="alert">
            <Icon name="warn" /> {reason()}
          </p>
        )}
      </Show>
      <Show when={job()?.state.includes('queued') && job()}>
        {(queuedJob) => <LowDisk job={queuedJob()} />}
      </Show>
      {/* While the runner is away the banner says it, and the last known state stays. */}
      <Show when={(isConnected() || !job()) && problem()}>
        {(error) => <Problem error={error()} retry={follower.look} />}
      </Show>
      <Show
        when={job()}
        fallback={
          <Show when={!problem()}>
            <p class="muted">Loading the job …</p>
          </Show>
        }
      >
        {(loadedJob) => {
          const view: JobView = {
            store,
            job: loadedJob,
            reachable,
            can: (event) => offers('resume') && open().has(event),
            async command(...args) {
              const wasTaken = await run(...args);
              follower.look();
              return wasTaken;
            },
          };
          return (
            <JobProvider value={view}>
              <JobHead tab={props.tab} />
              <Suspense fallback={<p class="muted">Loading …</p>}>
                <Switch fallback={<Overview />}>
                  <Match when={props.tab === 'log'}>
                    <LogTab line={props.rest[0] ?? null} />
                  </Match>
                  <Match when={props.tab === 'chart'}>
                    <ChartTab />
                  </Match>
                  <Match when={props.tab === 'campaign'}>
                    <CampaignTab />
                  </Match>
                  <Match when={props.tab === 'changes'}>
                    <ChangesTab prId={props.rest[0] ?? null} />
                  </Match>
                  <Match when={props.tab === 'artefacts'}>
                    <ArtefactsTab artefactId={props.rest[0] ?? null} />
                  </Match>
                  <Match when={props.tab === 'journal'}>
                    <JournalTab />
                  </Match>
                </Switch>
              </Suspense>
            </JobProvider>
          );
        }}
      </Show>
    </div>
  );
}
