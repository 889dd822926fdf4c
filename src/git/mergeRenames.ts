import { stripFolderPath } from '../base/text/folderPaths.ts';
import { type FileVersions, mergeBlobs } from './mergeBlobs.ts';
import type { GitRunner } from './loadObjects.ts';
import { splitFields } from './rawPaths.ts';
import { isFile, parseKind, type TreeEntry } from './treeObject.ts';

const MAX_CANDIDATES = 50;
const MAX_LIST_BYTES = 256 * 1024 * 1024;

interface SideChanges {
  /** Files that are no longer at their path, as they were before. */
  gone: Map<string, TreeEntry>;
  edited: Map<string, { before: TreeEntry; after: TreeEntry }>;
  /** New path → the former one, as git sees it. */
  formerName: Map<string, string>;
}

async function readChanges(git: GitRunner, base: string, side: string): Promise<SideChanges> {
  const args = ['diff-tree', '-r', '-z', '-M', '--raw', '--no-abbrev', base, side];
  const { stdout } = await git(args, { encoding: 'latin1', maxBytes: MAX_LIST_BYTES });
  const fields = splitFields(stdout);
  const changes: SideChanges = { gone: new Map(), edited: new Map(), formerName: new Map() };
  for (let at = 0; at < fields.length; ) {
    const [, oldMode = '', mode = '', oldOid = '', oid = '', status = ''] =
      /^:(\d+) (\d+) ([0-9a-f]+) ([0-9a-f]+) ([A-Z])/.exec(fields[at] ?? '') ?? [];
    const path = fields[at + 1] ?? '';
    const before = { kind: parseKind(oldMode), oid: oldOid };
    if (status === 'R') {
      changes.gone.set(path, before);
      changes.formerName.set(fields[at + 2] ?? '', path);
    } else if (status === 'D') changes.gone.set(path, before);
    else if (status !== 'A')
      changes.edited.set(path, { before, after: { kind: parseKind(mode), oid } });
    at += status === 'R' ? 3 : 2;
  }
  return changes;
}

/** The file at the new path, on one side or both. */
export interface RenamedFile {
  path: string;
  ours: TreeEntry | undefined;
  theirs: TreeEntry | undefined;
  result: TreeEntry;
}

export class MergeRenames {
  readonly #git: GitRunner;
  readonly #dir: string;
  readonly #ours: SideChanges;
  readonly #theirs: SideChanges;

  private constructor(git: GitRunner, dir: string, ours: SideChanges, theirs: SideChanges) {
    this.#git = git;
    this.#dir = dir;
    this.#ours = ours;
    this.#theirs = theirs;
  }

  /** Arguments are trees; `dir` is a folder for drafts. */
  static async read(
    git: GitRunner,
    dir: string,
    { base, ours, theirs }: FileVersions,
  ): Promise<MergeRenames> {
    const mine = await readChanges(git, base, ours);
    return new MergeRenames(git, dir, mine, await readChanges(git, base, theirs));
  }

  /**
   * Whether the file is what `git merge-file` makes of one that one side has renamed and the other
   * has changed, or that both have renamed.
   */
  async isMergeResult(file: RenamedFile): Promise<boolean> {
    for (const versions of this.#candidates(file))
      if ((await mergeBlobs(this.#git, this.#dir, versions)) === file.result.oid) return true;
    return false;
  }

  #candidates({ path, ours, theirs }: RenamedFile): FileVersions[] {
    const [mine, other] = [this.#ours, this.#theirs];
    const former = new Set(
      [mine.formerName.get(path), other.formerName.get(path)].filter((one) => one !== undefined),
    );
    const rank = (from: string): number =>
      former.has(from) ? 0 : stripFolderPath(from) === stripFolderPath(path) ? 1 : 2;
    const candidates: (FileVersions & { rank: number })[] = [];
    for (const [from, before] of (theirs ? other : mine).gone) {
      const at = (side: TreeEntry | undefined, changes: SideChanges) =>
        side ?? changes.edited.get(from)?.after;
      const [left, right] = [at(ours, mine), at(theirs, other)];
      if (left && right && isFile(before) && isFile(left) && isFile(right))
        candidates.push({ base: before.oid, ours: left.oid, theirs: right.oid, rank: rank(from) });
    }
    return candidates.sort((one, two) => one.rank - two.rank).slice(0, MAX_CANDIDATES);
  }
}
