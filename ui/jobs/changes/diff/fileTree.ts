export type TreeRow =
  | { kind: 'folder'; path: string; name: string; depth: number }
  | { kind: 'file'; index: number; name: string; depth: number };

interface Folder {
  folders: Map<string, Folder>;
  files: { index: number; name: string }[];
}

const createEmptyFolder = (): Folder => ({ folders: new Map(), files: [] });

/** Folders that hold nothing but one folder are one row with it, as forges show them. */
function* walkTreeRows(folder: Folder, path: string, depth: number): Generator<TreeRow> {
  for (const [first, child] of folder.folders) {
    let name = first;
    let inner = child;
    while (inner.files.length === 0 && inner.folders.size === 1)
      for (const [next, deeper] of inner.folders) {
        name += `/${next}`;
        inner = deeper;
      }
    const whole = path === '' ? name : `${path}/${name}`;
    yield { kind: 'folder', path: whole, name, depth };
    yield* walkTreeRows(inner, whole, depth + 1);
  }
  for (const { index, name } of folder.files) yield { kind: 'file', index, name, depth };
}

/** The tree of paths, folders first, in the order of the paths. */
export function buildFileTree(paths: readonly string[]): TreeRow[] {
  const root = createEmptyFolder();
  paths.forEach((path, index) => {
    const parts = path.split('/');
    const name = parts.pop() ?? path;
    let folder = root;
    for (const part of parts) {
      const next = folder.folders.get(part) ?? createEmptyFolder();
      folder.folders.set(part, next);
      folder = next;
    }
    folder.files.push({ index, name });
  });
  return [...walkTreeRows(root, '', 0)];
}

/** Indexes of the files in the order in which the tree shows them. */
export const sortInTreeOrder = (paths: readonly string[]): number[] =>
  buildFileTree(paths).flatMap((row) => (row.kind === 'file' ? [row.index] : []));

/** The rows that are seen when some folders are closed. */
export function filterOpenRows(
  rows: readonly TreeRow[],
  closedFolders: ReadonlySet<string>,
): TreeRow[] {
  let hiddenBelow: number | null = null;
  return rows.filter((row) => {
    if (hiddenBelow !== null && row.depth > hiddenBelow) return false;
    hiddenBelow = row.kind === 'folder' && closedFolders.has(row.path) ? row.depth : null;
    return true;
  });
}
