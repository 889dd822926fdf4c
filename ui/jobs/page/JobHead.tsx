import { createEffect, For, on, Show } from 'solid-js';
import { nowForAges } from '../../shell/now.ts';
import { type JobTab, jobHash } from '../../shell/router.ts';
import { JobActions } from './JobActions.tsx';
import { age, dateTime, statusOf, titleOfJob, toneOf } from '../jobText.ts';
import { useJob } from './jobView.ts';
import { StatusMark } from '../StatusMark.tsx';

/** What the job is, what can be done with it, and its tabs. */
export function JobHead(props: { tab: JobTab }) {
  const { job } = useJob();
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
  let nav: HTMLElement | undefined;
  // On a narrow page the tabs scroll, and the one that is open may be out of sight.
  createEffect(
    on(
      () => props.tab,
      () =>
        nav
          ?.querySelector('[aria-current]')
          ?.scrollIntoView({ block: 'nearest', inline: 'nearest' }),
    ),
  );

  return (
    <header>
      <div class="page-head">
        <StatusMark tone={toneOf(job())} />
        <h1>{titleOfJob(job())}</h1>
        <JobActions />
      </div>
      <p class="job-meta">
        <span class={`pill ${toneOf(job())}`}>{statusOf(job())}</span>
        <span>
          phase <strong>{job().phase}</strong>
        </span>
        <Show when={job().repoSlug}>{(repo) => <span>{repo()}</span>}</Show>
        <span>{job().workflowPath}</span>
        <Show when={job().parentJobId}>
          {(parent) => <a href={jobHash(parent())}>part of {parent()}</a>}
        </Show>
        <time datetime={job().createdAt} title={dateTime(job().createdAt)}>
          created {age(job().createdAt, nowForAges())}
          {age(job().createdAt, nowForAges()) === 'now' ? '' : ' ago'}
        </time>
        <code>{job().id}</code>
      </p>
      <nav class="tabs" aria-label="Sections of this job" ref={nav}>
        <For each={tabs()}>
          {({ tab, says, count }) => (
            <a href={jobHash(job().id, tab)} aria-current={props.tab === tab ? 'page' : undefined}>
              {says} <Show when={count > 0}>{<small>{count}</small>}</Show>
            </a>
          )}
        </For>
      </nav>
    </header>
  );
}
