import { For, Show } from 'solid-js';
import type { Report, ReportLinks } from '../../src/schema/report.ts';
import { Countdown } from '../budgets/Countdown.tsx';
import { age, dateTime, type Tone } from '../jobs/jobText.ts';
import { FoldedReason } from '../jobs/FoldedReason.tsx';
import { StatusMark } from '../jobs/StatusMark.tsx';
import { nowForAges } from '../shell/now.ts';
import { jobHash } from '../shell/router.ts';
import { shownText } from '../shell/shownText.ts';

/** A job of the report, with its pull requests; of a stop also why, and what continues it. */
export function ReportRow(props: {
  job: ReportLinks & { jobId: string; title: string; since: string };
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
          <a href={props.href ?? jobHash(props.job.jobId)}>
            <bdi>{shownText(props.job.title) || props.job.jobId}</bdi>
          </a>
          <span class={`pill ${props.tone}`}>{props.says}</span>
          <small title={dateTime(props.job.since)}>{age(props.job.since, nowForAges())}</small>
        </p>
        <Show when={props.stop}>
          {(stop) => (
            <>
              <div class="report-reason">
                <FoldedReason
                  reason={shownText(stop().reason)}
                  output={{
                    jobId: props.job.jobId,
                    last: stop().lastOutput,
                    of: shownText(props.job.title) || props.job.jobId,
                  }}
                />
              </div>
              <Show when={stop().until}>
                {(until) => (
                  <p>
                    It continues by itself in <Countdown until={until()} />.
                  </p>
                )}
              </Show>
              <p class="muted">
                To continue: <code>{stop().command}</code>
              </p>
            </>
          )}
        </Show>
        <Show when={props.job.pullRequests.length > 0}>
          <p class="row">
            <For each={props.job.pullRequests}>
              {({ prId, state }) => (
                <a href={jobHash(props.job.jobId, 'changes', prId)}>
                  <bdi>{prId}</bdi> ({state})
                </a>
              )}
            </For>
          </p>
        </Show>
      </div>
    </li>
  );
}
