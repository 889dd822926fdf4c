import { For, Show } from 'solid-js';
import { nowForAges } from '../../shell/signals/nowForAges.ts';
import { usePageKeys } from '../../shell/keys/pageKeys.ts';
import { type JobTab, toJobHash } from '../../shell/navigation/router.ts';
import { JobActions } from './JobActions.tsx';
import { formatAge, formatDateTime, formatJobTitle, pickJobTone } from '../jobText.ts';
import { CopyIdButton } from './CopyIdButton.tsx';
import { describeJobNow } from './describeJobNow.ts';
import { NowRunning } from './NowRunning.tsx';
import { PhaseStepper } from './PhaseStepper.tsx';
import { RatingPill } from './RatingPill.tsx';
import { SandboxMark } from './SandboxMark.tsx';
import { useStore } from '../../shell/useStore.ts';
import { useJob } from './jobView.ts';
import { StatusMark } from '../StatusMark.tsx';
import { runOnChange } from '../../shell/signals/runOnChange.ts';
import './jobHead.css';

/** What the job is, what can be done with it, and its tabs. */
export function JobHead(props: { tab: JobTab }) {
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
  /** Since when it does what the pill says. */
  const since = () => job().parked?.since ?? timeline()?.spans.at(-1)?.from ?? null;
  /** The same, once it is long enough to be shown. */
  const lasts = () => {
    const at = since();
    return job().ended || at === null || formatAge(at, nowForAges()) === 'now' ? null : at;
  };
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
        <StatusMark tone={pickJobTone(job())} />
        <h1 dir="auto" title={formatJobTitle(job())}>
          {formatJobTitle(job())}
        </h1>
        <JobActions tab={props.tab} />
      </div>
      <p class="job-meta">
        <span class={`pill ${pickJobTone(job())}`} title={job().status}>
          {describeJobNow(job())}
        </span>
        <RatingPill />
        <Show when={lasts()}>
          {(at) => (
            <span title={`since ${formatDateTime(at())}`}>{formatAge(at(), nowForAges())}</span>
          )}
        </Show>
        <span>
          <strong>
            <bdi>{job().phase}</bdi>
          </strong>
          {place()}
        </span>
        <Show when={job().repoSlug}>{(repo) => <bdi>{repo()}</bdi>}</Show>
        <bdi>{job().workflowPath}</bdi>
        <Show when={job().parentJobId}>
          {(parent) => <a href={toJobHash(parent())}>part of {parent()}</a>}
        </Show>
        <time datetime={job().createdAt} title={formatDateTime(job().createdAt)}>
          created {formatAge(job().createdAt, nowForAges())}
          {formatAge(job().createdAt, nowForAges()) === 'now' ? '' : ' ago'}
        </time>
        <SandboxMark />
        <CopyIdButton id={job().id} />
      </p>
      <PhaseStepper />
      <NowRunning line={props.tab !== 'log'} />
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
