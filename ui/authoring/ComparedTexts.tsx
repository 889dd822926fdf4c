import { createMemo, Show } from 'solid-js';
import { ComparedLines } from '../inbox/ComparedLines.tsx';
import { pickChangedParts, compareLines } from '../inbox/compareLines.ts';

/** What differs between two texts, line by line: from `before`, as removed, to `after`, as added. */
export function ComparedTexts(props: { before: string; after: string }) {
  const parts = createMemo(() => {
    const lines = compareLines(props.before, props.after);
    return lines && pickChangedParts(lines);
  });
  return (
    <>
      <Show when={parts() === null}>
        <p class="muted">There are too many differences to compare line by line.</p>
      </Show>
      <Show when={parts()?.length === 0}>
        <p class="muted">The texts are the same.</p>
      </Show>
      <ComparedLines parts={parts()} />
    </>
  );
}
