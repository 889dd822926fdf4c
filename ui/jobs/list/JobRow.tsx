import { Show } from 'solid-js';
import type { JobSummary } from '../../../src/schema/job.ts';
import { jobHash } from '../../shell/router.ts';
import { age, dateTime, statusOf, titleOfJob, toneOf } from '../jobText.ts';
import { StatusMark } from '../StatusMark.tsx';

/** A job in one line: how it is, what it is about, where it is and why. `now` is epoch ms. */
export function JobRow(props: { job: JobSummary; now: number }) {
  return (
    <a class="job-row" href={jobHash(props.job.id)}>
      <StatusMark tone={toneOf(props.job)} />
      <span class="title">
        {titleOfJob(props.job)}
        <Show when={props.job.parentJobId}>
          <small> part of {props.job.parentJobId}</small>
        </Show>
      </span>
      <span class="reason">{props.job.parked?.reason}</span>
      <Show when={props.job.repoSlug}>{(repo) => <span class="repo">{repo()}</span>}</Show>
      <span class={`pill ${toneOf(props.job)}`}>{statusOf(props.job)}</span>
      <time datetime={props.job.createdAt} title={`Made ${dateTime(props.job.createdAt)}`}>
        {age(props.job.createdAt, props.now)}
      </time>
    </a>
  );
}
