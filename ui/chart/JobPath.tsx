import { For, Show } from 'solid-js';
import type { VisitTimes } from '../../src/contract/schema/job/timeline.ts';
import { formatDuration } from '../jobs/jobText.ts';

/** The phases that a job has visited, with their times, and the switch that draws them over its chart. */
export function JobPath(props: {
  visits: readonly VisitTimes[];
  isShown: boolean;
  show: (isShown: boolean) => void;
}) {
  return (
    <div class="job-path">
      <label>
        <input
          type="checkbox"
          checked={props.isShown}
          onChange={({ currentTarget }) => props.show(currentTarget.checked)}
        />
        Path of this job
      </label>
      <Show when={props.isShown}>
        <ol class="plain" aria-label="Path of this job">
          <For each={props.visits}>
            {(visit) => (
              <li>
                <bdi>{visit.phase}</bdi>{' '}
                <small>
                  {formatDuration(visit.workMs)} work
                  {visit.waitMs > 0 ? `, ${formatDuration(visit.waitMs)} wait` : ''}
                </small>
              </li>
            )}
          </For>
        </ol>
      </Show>
    </div>
  );
}
