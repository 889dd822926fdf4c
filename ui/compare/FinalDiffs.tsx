import { createMemo, createSignal, For, type JSX, Show } from 'solid-js';
import { ComparedLines } from '../inbox/ComparedLines.tsx';
import { compareLines, pickChangedParts } from '../inbox/compareLines.ts';
import type { DiffFile } from '../jobs/changes/diff/diffFile.ts';
import { revealTurningCharacters } from '../shell/markdown/revealTurningCharacters.ts';
import { NumberTable } from '../statistics/NumberTable.tsx';
import { compareChangedFiles, type ComparedFile, formatChangedLines } from './comparedFiles.ts';

/** What each of two jobs changes in the end, file by file, and how the changes differ. */
export function FinalDiffs(props: {
  files: readonly [readonly DiffFile[], readonly DiffFile[]];
  /** Head of the table, which names both jobs. */
  head: JSX.Element;
}) {
  const files = createMemo(() => compareChangedFiles(...props.files));
  return (
    <section class="section" aria-labelledby="final-diffs">
      <h2 id="final-diffs">Final diffs</h2>
      <NumberTable label="Files that each job changes">
        {props.head}
        <tbody>
          <For each={files()}>
            {({ path, changes, isSame }) => (
              <tr classList={{ differs: !isSame }}>
                <th scope="row">
                  <bdi>{revealTurningCharacters(path)}</bdi>
                </th>
                <For each={changes}>{(change) => <ChangeCell change={change} />}</For>
              </tr>
            )}
          </For>
        </tbody>
      </NumberTable>
      <For each={files().filter(({ isSame }) => !isSame)}>
        {(file) => <FileDifference file={file} />}
      </For>
    </section>
  );
}

function ChangeCell(props: { change: DiffFile | null }) {
  return (
    <td>
      <Show when={props.change} fallback={<span class="muted">unchanged</span>}>
        {(change) => (
          <>
            <ins>+{change().added}</ins> <del>−{change().removed}</del>
          </>
        )}
      </Show>
    </td>
  );
}

/** How two changes of one file differ, line by line; computed once it is opened. */
function FileDifference(props: { file: ComparedFile }) {
  const [isOpen, setIsOpen] = createSignal(false);
  const parts = createMemo(() => {
    if (!isOpen()) return [];
    const [a, b] = props.file.changes.map((change) => (change ? formatChangedLines(change) : ''));
    const lines = compareLines(a ?? '', b ?? '');
    return lines && pickChangedParts(lines);
  });
  return (
    <details onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary>
        <bdi>{revealTurningCharacters(props.file.path)}</bdi>
      </summary>
      <Show when={parts() === null}>
        <p class="muted">There are too many changes to compare line by line.</p>
      </Show>
      <ComparedLines parts={parts()} />
    </details>
  );
}
