import { formatCount } from '../../../src/base/text/formatCount.ts';
import { Show } from 'solid-js';
import { formatCost } from '../../../src/base/spending/formatCost.ts';
import { formatTokens } from '../../../src/base/spending/tokenText.ts';
import type { JobCost } from '../../../src/contract/schema/policy/costs.ts';
import type { JobSummary } from '../../../src/contract/schema/job/job.ts';
import { useDashboard } from '../../shell/dashboard.ts';
import { toJobHash } from '../../shell/navigation/router.ts';
import {
  formatAge,
  formatShortCount,
  formatDateTime,
  formatJobTitle,
  pickJobTone,
} from '../jobText.ts';
import { splitReason, describeJobState } from '../plainText.ts';
import { RatingMark } from '../RatingMark.tsx';
import { StatusMark } from '../StatusMark.tsx';
import { LastLine } from './LastLine.tsx';

interface JobRowProps {
  /** Undefined while it is being read. */
  job: JobSummary | undefined;
  /** It is of an earlier filter: it may not be in the list that is being read, so it is not selected. */
  isOld: boolean;
  /** Place in the list, from 1. */
  position: number;
  /** Epoch ms. */
  now: number;
  selected: boolean;
  current: boolean;
  select: (job: JobSummary, selected: boolean, range: boolean) => void;
}

/** What an age is counted from, before the date. */
export const describeAgeStart = (job: JobSummary): string => {
  if (job.ended) return 'Ended';
  if (job.parked) return 'Waiting since';
  return job.status === 'queued' ? 'Queued since' : 'Working since';
};

function describeJobCost({ tokens, unpriced, unreported }: JobCost): string {
  const sum = { inputTokens: tokens, outputTokens: 0, unreported };
  const unknownPrices = unpriced - unreported;
  return [
    `${formatTokens(tokens, sum, formatShortCount)} tokens`,
    ...(unknownPrices > 0
      ? [`of ${formatCount(unknownPrices, 'call')} the price is not known`]
      : []),
    ...(unreported > 0 ? [`${formatCount(unreported, 'session')} not reported`] : []),
  ].join('; ');
}

/** A job in one line. Its elements stay when the row is used for another job. */
export function JobRow(props: JobRowProps) {
  const { team } = useDashboard();
  const title = () => (props.job ? formatJobTitle(props.job) : '');
  const reason = () => props.job?.reason ?? null;
  return (
    <div
      class="job-row"
      role="row"
      aria-rowindex={props.position + 1}
      aria-selected={props.selected}
      classList={{ current: props.current, selected: props.selected }}
      aria-busy={props.job === undefined}
    >
      <span role="cell" class="select">
        <input
          type="checkbox"
          aria-label={`Select ${title()}`}
          checked={props.selected}
          disabled={props.job === undefined || props.isOld}
          onClick={(event) =>
            props.job && props.select(props.job, event.currentTarget.checked, event.shiftKey)
          }
        />
      </span>
      <span role="cell" class="state">
        <StatusMark tone={props.job ? pickJobTone(props.job) : 'queued'} />
        <span class="status" title={props.job?.status}>
          {props.job ? describeJobState(props.job) : ''}
        </span>
      </span>
      <span role="cell" class="title" dir="auto">
        <Show when={props.job?.rating}>{(rating) => <RatingMark rating={rating()} short />}</Show>
        <a
          href={props.job ? toJobHash(props.job.id) : undefined}
          data-job={props.job?.id}
          dir="auto"
          title={title()}
        >
          {title()}
        </a>
        <Show when={props.job?.parentJobId}>
          {(parent) => (
            <small>
              {' '}
              part of <bdi>{parent()}</bdi>
            </small>
          )}
        </Show>
      </span>
      <span role="cell" class="reason" dir="auto" title={reason() ?? undefined}>
        {team && <team.RunnerMark job={props.job} only="away" />}
        <Show when={reason()} fallback={<LastLine job={props.job} now={props.now} />}>
          {(text) => splitReason(text()).short}
        </Show>
      </span>
      <span role="cell" class="repo">
        <bdi>{props.job?.repoSlug}</bdi>
        {team && <team.RunnerMark job={props.job} only="name" />}
      </span>
      <span role="cell" class="phase">
        <bdi>{props.job?.phase}</bdi>
        <Show when={props.job?.rating}>
          {(rating) => (
            <>
              {' '}
              <RatingMark rating={rating()} short />
            </>
          )}
        </Show>
      </span>
      <span
        role="cell"
        class="cost"
        title={props.job?.cost ? describeJobCost(props.job.cost) : undefined}
      >
        {props.job?.cost ? formatCost(props.job.cost) : ''}
      </span>
      <span role="cell" class="since">
        <Show when={props.job}>
          {(job) => (
            <time
              datetime={job().since}
              title={`${describeAgeStart(job())} ${formatDateTime(job().since)}; created ${formatDateTime(job().createdAt)}`}
            >
              {formatAge(job().since, props.now)}
            </time>
          )}
        </Show>
      </span>
    </div>
  );
}
