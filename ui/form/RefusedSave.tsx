import { Show } from 'solid-js';
import { Problem } from '../shell/problems/Problem.tsx';

/** Why settings could not be saved; if they have changed meanwhile, with a button that reloads them. */
export function RefusedSave(props: { error: unknown; reload: () => void }) {
  return (
    <Show when={props.error}>
      {(error) => (
        <>
          <Problem error={error()} />
          <Show when={(error() as { code?: unknown }).code === 'precondition-failed'}>
            <button type="button" onClick={() => props.reload()}>
              Reload and discard my changes
            </button>
          </Show>
        </>
      )}
    </Show>
  );
}
