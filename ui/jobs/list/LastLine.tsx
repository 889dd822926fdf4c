import { Show } from 'solid-js';
import type { JobSummary } from '../../../src/schema/job.ts';
import { age, dateTime } from '../jobText.ts';
import { visible } from '../log/terminalText.ts';

/** What the agent of a job at work wrote last, and how long ago. `now` is epoch ms. */
export function LastLine(props: { job: JobSummary | undefined; now: number }) {
  return (
    <Show when={props.job?.lastLine}>
      {(last) => (
        <span class="last-line" title={`${dateTime(last().at)}: ${visible(last().line)}`}>
          <small>{age(last().at, props.now)} ·</small> <bdi>{visible(last().line)}</bdi>
        </span>
      )}
    </Show>
  );
}
