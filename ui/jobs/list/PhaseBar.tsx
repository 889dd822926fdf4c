import { For, Show } from 'solid-js';
import type { JobSummary } from '../../../src/contract/schema/job/job.ts';

/**
 * How far a job is in its workflow, a segment for each phase; nothing where the workflow has one phase
 * or no longer has that of the job. `phases`: of its workflow, in order.
 */
export function PhaseBar(props: { job: JobSummary; phases: readonly string[] }) {
  const isOver = () => props.job.ended && props.job.status === 'complete';
  const at = () => (isOver() ? props.phases.length : props.phases.indexOf(props.job.phase));
  const says = () =>
    isOver()
      ? `all ${props.phases.length} phases`
      : `phase ${at() + 1} of ${props.phases.length}: ${props.job.phase}`;
  return (
    <Show when={props.phases.length > 1 && at() >= 0}>
      <span class="phase-bar" title={says()}>
        <For each={props.phases}>
          {(_phase, n) => (
            <i classList={{ done: n() < at(), now: n() === at() }} aria-hidden="true" />
          )}
        </For>
        <span class="visually-hidden">{says()}</span>
      </span>
    </Show>
  );
}
