import { For, Show, createMemo } from 'solid-js';
import { usePageKeys } from '../../shell/keys/pageKeys.ts';
import { toJobHash, type JobTab } from '../../shell/navigation/router.ts';
import { JobActions } from './JobActions.tsx';
import { JobLink } from '../JobLink.tsx';
import { isAskedOnOverview } from './isAskedOnOverview.ts';
import { formatJobTitle, pickStateTone } from '../jobText.ts';
import { describeJobTime, formatWholeSeconds } from './describeJobTime.ts';
import { StatusSentence } from './StatusSentence.tsx';
import { RatingPill } from './RatingPill.tsx';
import { useStore } from '../../shell/useStore.ts';
import { useJob } from './jobView.ts';
import { StatusMark } from '../StatusMark.tsx';
import { runOnChange } from '../../shell/signals/runOnChange.ts';
import './jobHead.css';
import { SANDBOX_TEXT } from '../../../src/base/agents/sandboxProfiles.ts';
import { Icon } from '../../shell/controls/Icon.tsx';
import { useDashboard } from '../../shell/dashboard.ts';
import { isJobUnreadable } from '../../../src/base/jobs/isJobUnreadable.ts';
import type { Job, JobSummary } from '../../../src/contract/schema/job/job.ts';
import { describeJobState } from '../plainText.ts';
import { toVisibleLine } from '../log/terminalText.ts';
import { useSeconds } from './useSeconds.ts';

const SHOWN_CHARS = 300;

const formatTimeAgo = (ms: number): string =>
  ms < 1_500 ? 'just now' : `${formatWholeSeconds(ms)} ago`;

/** The last line of what runs now, and its age. */
function NowRunning() {
  const { store, job } = useJob();
  const timeline = useStore(store, (context) => context.timeline);
  const newest = useStore(store, (context) => context.log.lines);
  const runningVisit = () => timeline()?.running ?? null;
  const now = useSeconds(() => runningVisit() !== null);
  const line = createMemo(
    () => newest().findLast(({ from }) => from !== 'runner') ?? runningVisit()?.lastLine ?? null,
  );
  return (
    <Show when={runningVisit()}>
      <p class="now-running">
        <Show when={line()} fallback={<span class="muted">No output yet.</span>}>
          {(last) => (
            <>
              <a href={toJobHash(job().id, 'log')} title="Open the log">
                <bdi>{toVisibleLine(last().line).slice(0, SHOWN_CHARS)}</bdi>
              </a>
              <small>{formatTimeAgo(now() - Date.parse(last().at))}</small>
            </>
          )}
        </Show>
      </p>
    </Show>
  );
}

export function describeJobNow(
  job: Pick<JobSummary, 'ended' | 'parked' | 'status' | 'subRunFailures' | 'ending' | 'broken'> &
    Pick<Job, 'state'>,
): string {
  if (job.ended || job.parked || isJobUnreadable(job.broken)) return describeJobState(job);
  const [state = ''] = job.state;
  if (state === 'queued') return 'Queued';
  if (state === 'working.stopping') return 'Stopping';
  return state === 'working.preparing' ? 'Preparing' : 'Working';
}

interface PhaseStep {
  phase: string;
  state: 'done' | 'current' | 'open';
}

/** A visited phase counts as done, even if the job has since gone back before it. */
export function listPhaseSteps(
  phases: readonly string[],
  {
    phase: current,
    phases: visits,
    ended,
    status,
  }: Pick<Job, 'phase' | 'phases' | 'ended' | 'status'>,
): PhaseStep[] {
  const visitedPhases = new Set(visits.map(({ phase }) => phase));
  const over = ended && status === 'complete';
  return phases.map((phase) => ({
    phase,
    state: phase === current && !over ? 'current' : visitedPhases.has(phase) ? 'done' : 'open',
  }));
}

const SAYS: Readonly<Record<PhaseStep['state'], string>> = {
  done: 'done',
  current: 'current',
  open: 'not yet',
};

function PhaseStepper() {
  const { store, job } = useJob();
  const phases = useStore(store, (context) => context.timeline?.phases);
  const steps = createMemo(() => listPhaseSteps(phases() ?? [], job()));
  return (
    <Show when={steps().length > 1}>
      <ol class="stepper plain" aria-label="Phases of the workflow">
        <For each={steps()}>
          {({ phase, state }) => (
            <li class={state} aria-current={state === 'current' ? 'step' : undefined}>
              <Icon name={state === 'done' ? 'check' : 'dot'} />
              <bdi>{phase}</bdi>
              <span class="spoken">, {SAYS[state]}</span>
            </li>
          )}
        </For>
      </ol>
    </Show>
  );
}

/** An id that is copied by a click; where the browser does not let a page copy, it is selected. */
function CopyIdButton(props: { id: string }) {
  const { shell } = useDashboard();
  let code: HTMLElement | undefined;
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(props.id);
      shell.trigger.did({ text: 'Job id copied.' });
    } catch {
      if (code) getSelection()?.selectAllChildren(code);
      shell.trigger.did({ text: 'Job id selected. Copy it with Ctrl+C.' });
    }
  };
  return (
    <span class="copy-id">
      <code ref={code}>{props.id}</code>
      <button
        type="button"
        class="quiet icon-only"
        aria-label="Copy the job id"
        title="Copy the job id"
        onClick={() => void copy()}
      >
        <Icon name="copy" />
      </button>
    </span>
  );
}

/** What confines the newest session, with a lock; nothing where no sandbox is wanted. */
function SandboxMark() {
  const { job } = useJob();
  const newest = createMemo(() => job().sandboxes?.at(-1) ?? null);
  return (
    <Show when={newest()}>
      {(sandboxSession) => (
        <span
          class="sandbox"
          title={`Session ${sandboxSession().visit}.${sandboxSession().session}: ${sandboxSession().reason ?? SANDBOX_TEXT[sandboxSession().state]}`}
        >
          <Icon name={sandboxSession().state === 'none' ? 'unlocked' : 'lock'} />
          {sandboxSession().state === 'none' ? 'no sandbox' : `sandbox: ${sandboxSession().state}`}
        </span>
      )}
    </Show>
  );
}

/** Where people see the trace of the job; nothing where no link is configured. */
function TraceLink() {
  const { job } = useJob();
  return (
    <Show when={job().trace?.url}>
      {(url) => (
        <a href={url()} target="_blank" rel="noopener noreferrer">
          Trace
        </a>
      )}
    </Show>
  );
}

export function JobHead(props: { tab: JobTab }) {
  const { team } = useDashboard();
  const { store, job } = useJob();
  const tabs = (): { tab: JobTab; says: string; count: number }[] => [
    { tab: 'overview', says: 'Overview', count: 0 },
    { tab: 'log', says: 'Log', count: 0 },
    { tab: 'chart', says: 'Chart', count: 0 },
    ...(job().subRuns.length > 0
      ? [{ tab: 'campaign' as const, says: 'Campaign', count: job().subRuns.length }]
      : []),
    { tab: 'changes', says: 'Changes', count: job().prMappings.length },
    { tab: 'artefacts', says: 'Artefacts', count: job().artefacts.length },
    { tab: 'journal', says: 'Journal', count: job().journalLength },
  ];
  const timeline = useStore(store, (context) => context.timeline);
  const now = useSeconds(() => (timeline()?.running ?? null) !== null);
  const time = createMemo(() => describeJobTime(job(), timeline(), now()), null, {
    equals: (a, b) => a?.says === b?.says && a?.title === b?.title,
  });
  const place = () => {
    const phases = timeline()?.phases ?? [];
    const index = phases.indexOf(job().phase);
    return index < 0 || phases.length < 2 ? '' : ` (${index + 1} of ${phases.length})`;
  };
  usePageKeys(() =>
    tabs().map(({ tab, says }, index) => ({
      keys: [String(index + 1)],
      says: `${says} of this job`,
      does: {
        do: () => {
          location.hash = toJobHash(job().id, tab);
        },
      },
    })),
  );
  let nav: HTMLElement | undefined;
  // On a narrow page the tabs scroll, and the one that is open may be out of sight.
  runOnChange(
    () => props.tab,
    () =>
      nav?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' }),
  );

  return (
    <header>
      <div class="page-head">
        <StatusMark tone={pickStateTone(job())} />
        <h1 dir="auto" title={formatJobTitle(job())}>
          {formatJobTitle(job())}
        </h1>
        <JobActions tab={props.tab} />
      </div>
      <p class="job-meta">
        <span class={`pill ${pickStateTone(job())}`} title={job().status}>
          {describeJobNow(job())}
        </span>
        <RatingPill />
        <span class="job-time" title={time().title}>
          {time().says}
        </span>
        <span>
          <strong>
            <bdi>{job().phase}</bdi>
          </strong>
          {place()}
        </span>
        <Show when={job().repoSlug}>{(repo) => <bdi>{repo()}</bdi>}</Show>
        {team && <team.RunnerMark job={job()} />}
        <bdi>{job().workflowPath}</bdi>
        <Show when={job().parentJobId}>
          {(parent) => (
            <span>
              part of <JobLink jobId={parent()} />
            </span>
          )}
        </Show>
        <SandboxMark />
        <TraceLink />
        <CopyIdButton id={job().id} />
      </p>
      {/* On the overview the question below says it, with its answers. */}
      <Show when={props.tab !== 'overview' || !isAskedOnOverview(job())}>
        <StatusSentence />
      </Show>
      <PhaseStepper />
      <Show when={props.tab !== 'log'}>
        <NowRunning />
      </Show>
      <nav class="tabs" aria-label="Sections of this job" ref={nav}>
        <For each={tabs()}>
          {({ tab, says, count }) => (
            <a
              href={toJobHash(job().id, tab)}
              aria-current={props.tab === tab ? 'page' : undefined}
            >
              {says} <Show when={count > 0}>{<small>{count}</small>}</Show>
            </a>
          )}
        </For>
      </nav>
    </header>
  );
}
