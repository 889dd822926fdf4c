import { createSignal, onCleanup, Show } from 'solid-js';
import type { Diff } from './diff/diffFile.ts';
import { readInSlices } from './diff/readInSlices.ts';
import { useDiffLook } from './useDiffLook.ts';
import { FileList } from './files/FileList.tsx';
import { createFilesView } from './files/filesView.ts';
import { runOnChange } from '../../shell/signals/runOnChange.ts';
import './changes.css';
import './files/files.css';

export function DiffView(props: { text: string }) {
  const [diff, setDiff] = createSignal<Diff | null>(null);
  runOnChange(
    () => props.text,
    (text) => {
      const stop = new AbortController();
      onCleanup(() => stop.abort());
      void readInSlices(text, stop.signal).then((read) => read && setDiff(read));
    },
  );
  const look = useDiffLook();
  const view = createFilesView(() => diff()?.files ?? [], look, null);
  return (
    <Show when={diff()} fallback={<p class="muted">Reading the changes …</p>}>
      {(read) => (
        <div class="stack">
          <p class="muted">
            {read().files.length} {read().files.length === 1 ? 'file' : 'files'} changed
          </p>
          <Show when={read().rest}>{(why) => <p class="notice-line">{why()}</p>}</Show>
          <FileList view={view} review={null} />
        </div>
      )}
    </Show>
  );
}
