import { createMemo, For, Show } from 'solid-js';
import { useStore } from '../../shell/useStore.ts';
import { buildStatusSentence } from './listStatusSentences.ts';
import { useJob } from './jobView.ts';

/** In the head of a job, on each of its tabs: why it is where it is. */
export function StatusSentence() {
  const { store, job } = useJob();
  const why = useStore(store, (context) => context.why);
  const parts = createMemo(() => buildStatusSentence(job(), why()?.waitsFor ?? []));
  return (
    <Show when={parts().length > 0}>
      <p class="status-sentence" dir="auto">
        <For each={parts()}>
          {({ text, href }) => (href === null ? text : <a href={href}>{text}</a>)}
        </For>
      </p>
    </Show>
  );
}
