import { Show } from 'solid-js';
import type { JobSummary } from '../../../src/contract/schema/job/job.ts';
import { formatAge, formatDateTime } from '../jobText.ts';
import { toVisibleLine } from '../log/terminalText.ts';
import { isSilent } from './isSilent.ts';

/**
 * What the agent of a job at work wrote last, and how long ago; marked after a long silence. `now`
 * is epoch ms.
 */
export function LastLine(props: { job: JobSummary | undefined; now: number }) {
  return (
    <Show when={props.job?.lastLine}>
      {(last) => (
        <span
          class="last-line"
          classList={{ silent: isSilent(last().at, props.now) }}
          title={`${formatDateTime(last().at)}: ${toVisibleLine(last().line)}`}
        >
          <small>
            {isSilent(last().at, props.now) ? 'silent for ' : ''}
            {formatAge(last().at, props.now)} ·
          </small>{' '}
          <bdi>{toVisibleLine(last().line)}</bdi>
        </span>
      )}
    </Show>
  );
}
