import { Show } from 'solid-js';
import { moneyText } from '../../../src/domain/moneyText.ts';
import { formatTokens } from '../../../src/domain/tokenText.ts';
import type { JobCost } from '../../../src/schema/costs.ts';
import type { JobSummary } from '../../../src/schema/job.ts';
import { jobHash } from '../../shell/router.ts';
import { age, count, dateTime, titleOfJob, toneOf } from '../jobText.ts';
import { briefReason, stateText } from '../plainText.ts';
import { RatingMark } from '../RatingMark.tsx';
import { StatusMark } from '../StatusMark.tsx';
import { LastLine } from './LastLine.tsx';

interface JobRowProps {
  /** Undefined while it is being read. */
  job: JobSummary | undefined;
  /** Place in the list, from 1. */
  position: number;
  /** Epoch ms. */
  now: number;
  selected: boolean;
  /** Whether it is where the keys are. */
  current: boolean;
  select: (job: JobSummary, selected: boolean, range: boolean) => void;
}

/** What an age is the age of, before the date. */
export const sinceText = (job: JobSummary): string => {
  if (job.ended) return 'Ended';
  if (job.parked) return 'Waiting since';
  return job.status === 'queued' ? 'Queued since' : 'Working since';
};

/** What the cell of the cost has no room for. */
function spentText({ tokens, unpriced, unreported }: JobCost): string {
  const sum = { inputTokens: tokens, outputTokens: 0, unreported };
  const unknownPrices = unpriced - unreported;
  return [
    `${formatTokens(tokens, sum, count)} tokens`,
    ...(unknownPrices > 0 ? [`of ${count(unknownPrices)} calls the price is not known`] : []),
    ...(unreported > 0 ? [`${count(unreported)} sessions not reported`] : []),
  ].join('; ');
}

/**
 * A job in one line of the table: how it is, what it is about, why it waits or failed, where it is,
 * and since when. The elements stay when the row is used for another job.
 */
export function JobRow(props: JobRowProps) {
  const title = () => (props.job ? titleOfJob(props.job) : '');
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
          disabled={props.job === undefined}
          onClick={(event) =>
            props.job && props.select(props.job, event.currentTarget.checked, event.shiftKey)
          }
        />
      </span>
      <span role="cell" class="state">
        <StatusMark tone={props.job ? toneOf(props.job) : 'queued'} />
        <span class="status" title={props.job?.status}>
          {props.job ? stateText(props.job) : ''}
        </span>
      </span>
      <span role="cell" class="title">
        <Show when={props.job?.rating}>{(rating) => <RatingMark rating={rating()} short />}</Show>
        <a
          href={props.job ? jobHash(props.job.id) : undefined}
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
        <Show when={reason()} fallback={<LastLine job={props.job} now={props.now} />}>
          {(text) => briefReason(text()).short}
        </Show>
      </span>
      <span role="cell" class="repo">
        <bdi>{props.job?.repoSlug}</bdi>
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
        title={props.job?.cost ? spentText(props.job.cost) : undefined}
      >
        {props.job?.cost ? moneyText(props.job.cost) : ''}
      </span>
      <span role="cell" class="since">
        <Show when={props.job}>
          {(job) => (
            <time
              datetime={job().since}
              title={`${sinceText(job())} ${dateTime(job().since)}; created ${dateTime(job().createdAt)}`}
            >
              {age(job().since, props.now)}
            </time>
          )}
        </Show>
      </span>
    </div>
  );
}
