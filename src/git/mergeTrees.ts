import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TreeEntry } from 'isomorphic-git';
import { runGit } from './git.ts';
import { objectLibrary } from './objectLibrary.ts';
import type { Objects } from './repository.ts';

type Folder = Map<string, TreeEntry>;

const same = (one: TreeEntry | undefined, other: TreeEntry | undefined): boolean =>
  one?.oid === other?.oid && one?.mode === other?.mode;

const isFile = (entry: TreeEntry | undefined): entry is TreeEntry =>
  entry?.type === 'blob' && entry.mode !== '120000';

/** Oid of the entry with this name, if it is a folder. */
const folderOf = (entry: TreeEntry | undefined): string | null =>
  entry?.type === 'tree' ? entry.oid : null;

/** The entry with this name, if it is not a folder: a file, a link, a submodule. */
const leafOf = (entry: TreeEntry | undefined): TreeEntry | undefined =>
  entry?.type === 'tree' ? undefined : entry;

/**
 * Three-way merge of trees, file by file and, in files that both sides changed, line by line. It
 * reads only the folders that differ and works on bytes. What git would guess (renames) and what
 * cannot be merged line by line (binary files, links, submodules) is a conflict when both sides
 * changed it.
 */
export class TreeMerge {
  /** Paths that both sides changed in ways that do not go together. */
  readonly conflicts: string[] = [];
  readonly #objects: Objects;
  readonly #dryRun: boolean;

  /**
   * `dryRun`: only finds the conflicts and writes nothing to the object store; the oids that it
   * answers mean nothing then.
   */
  constructor(objects: Objects, dryRun: boolean) {
    this.#objects = objects;
    this.#dryRun = dryRun;
  }

  /**
   * Oid of the merged tree; null for one without entries. Arguments are oids of trees, null for
   * none.
   */
  async merge(
    base: string | null,
    ours: string | null,
    theirs: string | null,
    path = '',
  ): Promise<string | null> {
    if (ours === theirs || base === theirs) return ours;
    if (base === ours) return theirs;
    const [baseFolder, ourFolder, theirFolder] = [
      await this.#read(base),
      await this.#read(ours),
      await this.#read(theirs),
    ];
    const merged: TreeEntry[] = [];
    for (const name of new Set([...ourFolder.keys(), ...theirFolder.keys()])) {
      const entry = await this.#mergeEntry(
        baseFolder.get(name),
        ourFolder.get(name),
        theirFolder.get(name),
        path === '' ? name : `${path}/${name}`,
      );
      if (entry) merged.push({ ...entry, path: name });
    }
    if (merged.length === 0) return null;
    if (this.#dryRun) return ours ?? theirs;
    return (await objectLibrary()).writeTree({ ...this.#objects, tree: merged });
  }

  async #mergeEntry(
    base: TreeEntry | undefined,
    ours: TreeEntry | undefined,
    theirs: TreeEntry | undefined,
    path: string,
  ): Promise<TreeEntry | undefined> {
    // Apart from one another, so that a file whose place a folder takes counts as deleted.
    const leaf = await this.#mergeLeaf(leafOf(base), leafOf(ours), leafOf(theirs), path);
    const folder = await this.merge(folderOf(base), folderOf(ours), folderOf(theirs), path);
    if (folder === null) return leaf;
    if (leaf !== undefined) this.#conflict(path);
    return { mode: '040000', path, oid: folder, type: 'tree' };
  }

  async #mergeLeaf(
    base: TreeEntry | undefined,
    ours: TreeEntry | undefined,
    theirs: TreeEntry | undefined,
    path: string,
  ): Promise<TreeEntry | undefined> {
    if (same(ours, theirs) || same(base, theirs)) return ours;
    if (same(base, ours)) return theirs;
    if (isFile(base) && isFile(ours) && isFile(theirs)) {
      const mode = base.mode === ours.mode ? theirs.mode : ours.mode;
      const oid = await this.#mergeFile(base.oid, ours.oid, theirs.oid);
      if (oid !== undefined) return { ...ours, mode, oid };
    }
    this.#conflict(path);
    return ours;
  }

  #conflict(path: string): void {
    if (!this.conflicts.includes(path)) this.conflicts.push(path);
  }

  async #mergeFile(base: string, ours: string, theirs: string): Promise<string | undefined> {
    if (ours === theirs || base === theirs) return ours;
    if (base === ours) return theirs;
    const git = await objectLibrary();
    const folder = await mkdtemp(join(tmpdir(), 'svc-merge-'));
    try {
      for (const [name, oid] of Object.entries({ base, ours, theirs })) {
        await writeFile(join(folder, name), (await git.readBlob({ ...this.#objects, oid })).blob, {
          mode: 0o600,
        });
      }
      // Its exit code is the number of conflicts (at most 127), 255 for a binary file.
      const answers = Array.from({ length: 255 }, (_, index) => index + 1);
      const { exitCode } = await runGit(['merge-file', '--quiet', 'ours', 'base', 'theirs'], {
        cwd: folder,
        answers,
      });
      if (exitCode !== 0) return undefined;
      return this.#dryRun
        ? ours
        : await git.writeBlob({ ...this.#objects, blob: await readFile(join(folder, 'ours')) });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  async #read(oid: string | null): Promise<Folder> {
    if (oid === null) return new Map();
    const git = await objectLibrary();
    const { tree } = await git.readTree({ ...this.#objects, oid });
    return new Map(tree.map((entry) => [entry.path, entry]));
  }
}
