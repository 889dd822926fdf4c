import { For, Show } from 'solid-js';

/**
 * Which checkpoints of a workflow are approved in advance. A job passes a checkpoint without asking
 * only because of this, whether or not it is interactive.
 */
export function Checkpoints(props: {
  phases: readonly string[];
  approved: readonly string[];
  change: (names: string[]) => void;
}) {
  const set = (phase: string, isApproved: boolean) =>
    props.change(
      props.phases.filter((one) => (one === phase ? isApproved : props.approved.includes(one))),
    );
  return (
    <Show
      when={props.phases.length > 0}
      fallback={<p class="muted">This workflow has no checkpoint: it asks for no approval.</p>}
    >
      <fieldset class="stack">
        <legend class="label">Approve in advance</legend>
        <For each={props.phases}>
          {(phase) => (
            <label class="row">
              <input
                type="checkbox"
                checked={props.approved.includes(phase)}
                onChange={(event) => set(phase, event.currentTarget.checked)}
              />
              Checkpoint after {phase}
            </label>
          )}
        </For>
        <small>A checkpoint that is not ticked waits for an approval, in every job.</small>
      </fieldset>
    </Show>
  );
}
