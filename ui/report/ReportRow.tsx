import { For, Show } from 'solid-js';
import type { Report, ReportFinished, ReportLinks } from '../../src/contract/schema/api/report.ts';
import { Countdown } from '../budgets/Countdown.tsx';
import { formatAge, formatDateTime, type Tone } from '../jobs/jobText.ts';
import { Failure } from '../jobs/Failure.tsx';
import { FoldedReason } from '../jobs/FoldedReason.tsx';
import { StatusMark } from '../jobs/StatusMark.tsx';
import { nowForAges } from '../shell/signals/nowForAges.ts';
import { toRouteHash, toInboxHash, toJobHash } from '../shell/navigation/router.ts';
import { revealTurningCharacters } from '../shell/markdown/revealTurningCharacters.ts';

/** A job of the report, with its pull requests; of a stop also why, and what continues it. */
export function ReportRow(props: {
  job: ReportLinks & Pick<ReportFinished, 'jobId' | 'title' | 'repo' | 'workflow' | 'since'>;
  /** Where its title leads. Default: its page. */
  href?: string;
  says: string;
  tone: Tone;
  stop?: Report['stops'][number];
}) {
  return (
    <li class="report-row">
      <StatusMark tone={props.tone} />
      <div class="stack">
        <p class="report-head">
          <a href={props.href ?? toJobHash(props.job.jobId)}>
            <bdi>{revealTurningCharacters(props.job.title) || props.job.jobId}</bdi>
          </a>
          <span class={`pill ${props.tone}`}>{props.says}</span>
          <small title={formatDateTime(props.job.since)}>
            {formatAge(props.job.since, nowForAges())}
          </small>
          <small class="report-place">
            <Show when={props.job.repo}>{(repo) => <bdi>{repo()}</bdi>}</Show>
            <bdi>{props.job.workflow}</bdi>
          </small>
        </p>
        <Show when={props.stop}>
          {(stop) => (
            <>
              <div class="report-reason">
                <Show
                  when={isFailure(stop())}
                  fallback={<FoldedReason reason={revealTurningCharacters(stop().reason)} />}
                >
                  <Failure
                    jobId={props.job.jobId}
                    reason={revealTurningCharacters(stop().reason)}
                    output={stop().lastOutput}
                    // Titles repeat; a landmark needs a name of its own.
                    of={`${revealTurningCharacters(props.job.title)} ${props.job.jobId}`.trim()}
                  />
                </Show>
              </div>
              <Show when={stop().until}>
                {(until) => (
                  <p>
                    It continues by itself in <Countdown until={until()} />.
                  </p>
                )}
              </Show>
              <p>
                <a href={toStopHash(stop())}>{STOP_ACTS[stop().why] ?? 'Open the job'}</a>
              </p>
            </>
          )}
        </Show>
        <Show when={props.job.pullRequests.length > 0}>
          <p class="row">
            <For each={props.job.pullRequests}>
              {({ prId, state }) => (
                <a href={toJobHash(props.job.jobId, 'changes', prId)}>
                  <bdi>{prId.replace(/^\w+:/, '')}</bdi> ({state})
                </a>
              )}
            </For>
          </p>
        </Show>
      </div>
    </li>
  );
}

/** What a person does about a stop, where its page asks. */
const STOP_ACTS: Readonly<Record<string, string>> = {
  budget: 'Raise the budget',
  quota: 'See the account',
  outage: 'Fix it, then try again',
  developer: 'Reply',
  external: 'Report what happened',
  flagged: 'Decide about the flag',
  halted: 'Decide about what failed',
  paused: 'Resume',
  until: 'Resume',
  'stop-all': 'Resume',
  failed: 'Resume or rerun',
  escalated: 'Rerun a phase',
};

/** Whether something failed, and not only waits. */
const isFailure = ({ why, lastOutput }: Report['stops'][number]): boolean =>
  why === 'failed' || why === 'escalated' || lastOutput !== undefined;

/** Stops that a person answers under Needs you. */
const ANSWERED: ReadonlySet<string> = new Set([
  'budget',
  'developer',
  'external',
  'flagged',
  'halted',
]);

const toStopHash = ({ why, until, jobId }: Report['stops'][number]): string => {
  if (why === 'quota' && until === null) return toRouteHash(['budgets']);
  return ANSWERED.has(why) && until === null ? toInboxHash(jobId) : toJobHash(jobId);
};
