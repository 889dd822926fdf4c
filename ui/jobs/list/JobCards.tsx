import { For, Show } from 'solid-js';
import type { JobSummary } from '../../../src/contract/schema/job/job.ts';
import { useDashboard } from '../../shell/dashboard.ts';
import { toJobHash } from '../../shell/navigation/router.ts';
import { formatAge, formatDateTime, formatJobTitle, pickStateTone } from '../jobText.ts';
import { splitReason, describeJobState } from '../plainText.ts';
import { RatingMark } from '../RatingMark.tsx';
import { describeAgeStart } from './JobRow.tsx';
import { PhaseBar } from './PhaseBar.tsx';
import { LastLine } from './LastLine.tsx';

/** The phases of each workflow in their order, by its path; empty while they are not known. */
export type PhasesByWorkflow = ReadonlyMap<string, readonly string[]>;

/** A job as a card of the board. `now` is epoch ms. */
function JobCard(props: { job: JobSummary; now: number; phases: PhasesByWorkflow }) {
  const { team } = useDashboard();
  return (
    <a class="board-card" data-job={props.job.id} href={toJobHash(props.job.id)}>
      <span class="title" dir="auto">
        {formatJobTitle(props.job)}
      </span>
      <Show
        when={props.job.reason}
        fallback={
          <Show when={props.job.lastLine}>
            <span class="reason">
              <LastLine job={props.job} now={props.now} />
            </span>
          </Show>
        }
      >
        {(reason) => (
          <span class="reason" dir="auto" title={reason()}>
            {splitReason(reason()).short}
          </span>
        )}
      </Show>
      <PhaseBar job={props.job} phases={props.phases.get(props.job.workflowPath) ?? []} />
      <span class="row">
        <span class={`pill ${pickStateTone(props.job)}`} title={props.job.status}>
          {describeJobState(props.job)}
        </span>
        <Show when={props.job.rating}>{(rating) => <RatingMark rating={rating()} />}</Show>
        <Show when={props.job.repoSlug}>
          {(repo) => (
            <small>
              <bdi>{repo()}</bdi>
            </small>
          )}
        </Show>
        {team && <team.RunnerMark job={props.job} />}
        <small class="age">
          <time
            datetime={props.job.since}
            title={`${describeAgeStart(props.job)} ${formatDateTime(props.job.since)}`}
          >
            {formatAge(props.job.since, props.now)}
          </time>
        </small>
      </span>
    </a>
  );
}

/** The first cards of a column or a group, and a way to the others. */
export function JobCards(props: {
  jobs: readonly JobSummary[];
  now: number;
  phases: PhasesByWorkflow;
  /** How many there are in all; null = not known yet. */
  total: number | null;
  more: () => void;
}) {
  return (
    <ul class="plain">
      <For
        each={props.jobs.map(({ id }) => id)}
        fallback={<li class="none">{props.total === null ? 'Loading …' : 'None'}</li>}
      >
        {(id) => (
          <li>
            <Show when={props.jobs.find((job) => job.id === id)}>
              {(job) => <JobCard job={job()} now={props.now} phases={props.phases} />}
            </Show>
          </li>
        )}
      </For>
      <Show when={(props.total ?? 0) > props.jobs.length}>
        <li class="none">
          <button type="button" onClick={() => props.more()}>
            Show more
          </button>
        </li>
      </Show>
    </ul>
  );
}
