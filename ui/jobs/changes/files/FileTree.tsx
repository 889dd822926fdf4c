import { createMemo, createSignal, Show } from 'solid-js';
import { createPaintSignal } from '../../../shell/signals/createPaintSignal.ts';
import { VirtualList } from '../../../shell/lists/VirtualList.tsx';
import { Icon } from '../../../shell/controls/Icon.tsx';
import type { DiffFile } from '../diff/diffFile.ts';
import { filterOpenRows, type TreeRow, buildFileTree } from '../diff/fileTree.ts';
import { nameHiddenCharacters } from '../diff/hiddenCharacters.ts';
import { runOnChange } from '../../../shell/signals/runOnChange.ts';

/** Height of a row, px; changes.css has the same. */
const ROW_PX = 28;

interface FileTreeProps {
  files: readonly DiffFile[];
  current: DiffFile | null;
  isViewed: (file: DiffFile) => boolean;
  /** Comments at the file, sent or not. */
  comments: (file: DiffFile) => number;
  show: (file: DiffFile) => void;
}

export function FileTree(props: FileTreeProps) {
  const [filter, setFilter] = createSignal('');
  const [closedFolders, setClosedFolders] = createSignal<ReadonlySet<string>>(new Set());
  const matches = createMemo(() => {
    const text = filter().trim().toLowerCase();
    return props.files.filter(({ path }) => path.toLowerCase().includes(text));
  });
  const rows = createMemo(() => {
    const files = matches();
    return filterOpenRows(
      buildFileTree(files.map(({ path }) => path)),
      filter() === '' ? closedFolders() : new Set(),
    ).map((row): Row => ({ row, file: row.kind === 'file' ? (files[row.index] ?? null) : null }));
  });
  const toggle = (path: string) => {
    const next = new Set(closedFolders());
    if (!next.delete(path)) next.add(path);
    setClosedFolders(next);
  };
  const isOpen = ({ row }: Row) => row.kind === 'folder' && !closedFolders().has(row.path);
  const isViewed = ({ file }: Row) => file !== null && props.isViewed(file);
  const comments = ({ file }: Row) => (file === null ? 0 : props.comments(file));
  const act = ({ row, file }: Row) => {
    if (row.kind === 'folder') toggle(row.path);
    else if (file) props.show(file);
  };
  const [rowInView, setRowInView] = createSignal<number | null>(null);
  runOnChange(
    () => props.current,
    (current) => setRowInView(rows().findIndex(({ file }) => file !== null && file === current)),
  );
  const hasPainted = createPaintSignal();
  return (
    <nav class="file-tree" aria-label="Files">
      <input
        type="search"
        data-search
        aria-label="Filter files"
        placeholder="Filter files"
        value={filter()}
        onInput={(event) => setFilter(event.currentTarget.value)}
        onKeyDown={(event) => {
          const [first] = matches();
          if (event.key !== 'Enter' || !first) return;
          props.show(first);
          event.currentTarget.blur();
        }}
      />
      <Show when={rows().length > 0} fallback={<p class="muted">No file has this in its path.</p>}>
        <Show when={hasPainted()}>
          <VirtualList
            items={rows()}
            estimate={() => ROW_PX}
            label="Files"
            shown={rowInView() === -1 ? null : rowInView()}
            row={(one) => (
              <TreeLine
                row={one().row}
                file={one().file}
                isCurrent={one().file !== null && one().file === props.current}
                isOpen={isOpen(one())}
                isViewed={isViewed(one())}
                comments={comments(one())}
                act={() => act(one())}
              />
            )}
          />
        </Show>
      </Show>
    </nav>
  );
}

interface Row {
  row: TreeRow;
  file: DiffFile | null;
}

function TreeLine(props: {
  row: TreeRow;
  file: DiffFile | null;
  isCurrent: boolean;
  isOpen: boolean;
  isViewed: boolean;
  comments: number;
  act: () => void;
}) {
  return (
    <button
      type="button"
      class="tree-row quiet"
      classList={{ viewed: props.isViewed }}
      style={{ 'padding-left': `${0.4 + props.row.depth * 0.8}rem` }}
      aria-current={props.isCurrent ? 'true' : undefined}
      aria-expanded={props.row.kind === 'folder' ? props.isOpen : undefined}
      title={props.file ? nameHiddenCharacters(props.file.path) : undefined}
      onClick={() => props.act()}
    >
      <Icon
        name={
          props.row.kind === 'folder'
            ? props.isOpen
              ? 'down'
              : 'right'
            : props.isViewed
              ? 'check'
              : 'file'
        }
      />
      <bdi class="grow" dir="ltr">
        {nameHiddenCharacters(props.row.name)}
      </bdi>
      <Show when={props.isViewed}>
        <span class="visually-hidden">viewed</span>
      </Show>
      <Show when={props.comments > 0}>
        <small title="Comments">
          {props.comments}
          <span class="visually-hidden"> {props.comments === 1 ? 'comment' : 'comments'}</span>
        </small>
      </Show>
      {/* Hidden rather than left out: the row is used again for a file. */}
      <small class="counts" aria-hidden="true" hidden={props.file === null}>
        <span class="plus">+{props.file?.added ?? 0}</span>{' '}
        <span class="minus">−{props.file?.removed ?? 0}</span>
      </small>
    </button>
  );
}
