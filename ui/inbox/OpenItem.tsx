import { createEffect, on, Show, createMemo, createSignal, For, Suspense } from 'solid-js';
import type { Job } from '../../src/contract/schema/job/job.ts';
import {
  formatDateTime,
  formatMinuteWithDay,
  formatTimeWithDay,
  formatJobTitle,
} from '../jobs/jobText.ts';
import { CardBoundary } from '../shell/problems/CardBoundary.tsx';
import { createReading } from '../shell/signals/createReading.ts';
import { useDashboard, type Dashboard } from '../shell/dashboard.ts';
import { Icon } from '../shell/controls/Icon.tsx';
import { prepareMarkdown } from '../shell/markdown/Markdown.tsx';
import { nowForAges } from '../shell/signals/nowForAges.ts';
import { Problem } from '../shell/problems/Problem.tsx';
import { toInboxHash, toJobHash } from '../shell/navigation/router.ts';
import { useStore } from '../shell/useStore.ts';
import { AskCard } from './AskCard.tsx';
import { SnoozeMenu } from './SnoozeMenu.tsx';
import type { ItemReadings } from './itemReadings.ts';
import type { JobItem } from './inboxItems.ts';
import { ChangesTab } from '../jobs/page/jobTabs.ts';
import { createJobStore } from '../jobs/page/jobStore.ts';
import { JobProvider, type JobView } from '../jobs/page/jobView.ts';
import type { AskProps } from './askProps.ts';

/** One of the open pull requests that a job waits for, with its review. */
function OpenReview(props: AskProps) {
  const { shell } = useDashboard();
  const reachable = useStore(shell, (context) => context.lostSince === null);
  const [chosenPrId, setChosenPrId] = createSignal<string | null>(null);
  const open = createMemo(() => props.job.prMappings.filter(({ state }) => state === 'open'));
  const shownPr = createMemo(
    () => open().find(({ prId }) => prId === chosenPrId())?.prId ?? open().at(-1)?.prId ?? null,
  );
  const view: JobView = {
    store: createJobStore(),
    job: () => props.job,
    reachable,
    can: (event) => props.can(event),
    command: (...args) => props.command(...args),
  };
  return (
    <div class="ask stack open-review">
      <div class="row">
        <h2 class="question grow">Waits for a review or the merge</h2>
        <Show when={shownPr()}>
          {(prId) => <a href={toJobHash(props.job.id, 'changes', prId())}>Open in the job</a>}
        </Show>
      </div>
      <Show when={open().length > 1}>
        <fieldset class="choice" aria-label="Open pull requests">
          <For each={open()}>
            {({ prId, repo, number }) => (
              <button
                type="button"
                aria-pressed={prId === shownPr()}
                onClick={() => setChosenPrId(prId)}
              >
                <bdi>
                  {repo}#{number}
                </bdi>
              </button>
            )}
          </For>
        </fieldset>
      </Show>
      <JobProvider value={view}>
        <Suspense fallback={<p class="muted">Loading the changes …</p>}>
          <ChangesTab prId={shownPr()} alone />
        </Suspense>
      </JobProvider>
    </div>
  );
}

interface OpenItemProps {
  /** Must not change while this is mounted. */
  jobId: string;
  /** What the job waits for; null = it does not wait. */
  item: JobItem | null;
  readings: ItemReadings;
  /** The job is on the screen. */
  onRead: () => void;
  /** A command of the person was sent; resolves to true when the runner took it. */
  onSent: (sending: Promise<boolean>) => void;
  onNext: () => void;
}

/** One waiting job in full. Reads it again when it changes, and shows the old state until then. */
export function OpenItem(props: OpenItemProps) {
  const { shell, run, team, offers } = useDashboard();
  const { jobId } = props;
  prepareMarkdown();
  const [reading, { refetch }] = createReading(() => props.readings.read(jobId, props.item));
  createEffect(() => reading.latest && props.onRead());
  const reconnects = useStore(shell, (context) => context.healed);
  const again = () => {
    props.readings.forget(jobId);
    void refetch();
  };
  createEffect(on(reconnects, again, { defer: true }));
  const version = () => `${props.item?.job.updatedAt} ${props.item?.ask}`;
  createEffect(on(version, () => void refetch(), { defer: true }));
  const command: Dashboard['run'] = async (...args) => {
    const sending = run(...args);
    props.onSent(sending);
    // A refusal was about a state that has changed.
    if (!(await sending)) again();
    return sending;
  };
  const knownJob = () => reading.latest?.job ?? props.item?.job;
  return (
    <>
      <header class="open-head">
        <a class="button quiet back" href={toInboxHash(null)}>
          <Icon name="left" /> All
        </a>
        <h2>
          <a href={toJobHash(jobId)} title="Open the job">
            <bdi>
              {knownJob() ? formatJobTitle(knownJob() ?? { id: jobId, description: '' }) : jobId}
            </bdi>
          </a>
        </h2>
        <p class="job-meta">
          <Show when={props.item}>
            {(item) => (
              <>
                <span class={`pill ${item().group === 'broken' ? 'bad' : 'needs-you'}`}>
                  {item().kind}
                </span>
                <span title={formatDateTime(item().since)}>
                  since {formatTimeWithDay(item().since, nowForAges())}
                </span>
              </>
            )}
          </Show>
          <Show when={knownJob()?.repoSlug}>{(repo) => <bdi>{repo()}</bdi>}</Show>
          <Show when={knownJob()}>{(job) => <span>phase {job().phase}</span>}</Show>
          {team && <team.RunnerMark job={knownJob()} />}
          <Show when={props.item}>
            <SnoozeMenu jobId={jobId} command={command} />
          </Show>
        </p>
      </header>
      <Show when={props.item === null && reading.latest}>
        <p class="notice-line" role="status">
          <Icon name="check" />
          <span>{describeAbsence(reading.latest?.job)} What you typed is kept.</span>
          <button type="button" onClick={() => props.onNext()}>
            Next item
          </button>
        </p>
      </Show>
      <CardBoundary>
        <Show when={reading.error}>{(error) => <Problem error={error()} retry={again} />}</Show>
        <Show
          when={reading.latest}
          fallback={reading.error ? null : <p class="muted">Loading the job …</p>}
        >
          {(readItem) => {
            const can = (event: string) => offers('resume') && readItem().events.has(event);
            return (
              <Show
                when={needsReview(readItem().job)}
                fallback={<AskCard job={readItem().job} can={can} command={command} />}
              >
                <OpenReview job={readItem().job} can={can} command={command} />
              </Show>
            );
          }}
        </Show>
      </CardBoundary>
    </>
  );
}

/** Why it is not in the list. */
const describeAbsence = (job: Job | undefined): string =>
  job?.snoozed
    ? `Snoozed until ${formatMinuteWithDay(job.snoozed.until, nowForAges())}, or until the job changes.`
    : 'This job does not wait for you now.';

const needsReview = ({ needs }: Job): boolean => needs?.ask === 'review';
