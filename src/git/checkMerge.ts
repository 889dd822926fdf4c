import { mergeBlobs } from './mergeBlobs.ts';
import { MergeRenames } from './mergeRenames.ts';
import {
  deriveExpectedEntry,
  isSameEntry,
  checkMergedEntry,
  type MaybeEntry,
  type NameVersions,
} from './checkMergedEntry.ts';
import type { Conflicts } from './mergeTrees.ts';
import { loadObjects, type GitRunner } from './loadObjects.ts';
import { parseTree, type TreeEntry } from './treeObject.ts';
import { join } from 'node:path';
import { splitFields } from './rawPaths.ts';

/** Values of the attribute `merge` that forbid merging line by line. */
const EXCLUDED = new Set(['unset', 'binary']);

/**
 * The attribute `merge` as set by the `.gitattributes` of a tree. Merge drivers, even git's own
 * `union`, have no effect on merges of svc.
 */
class MergeAttributes {
  readonly #git: GitRunner;
  readonly #dir: string;
  readonly #tree: string;

  constructor(git: GitRunner, dir: string, tree: string) {
    this.#git = git;
    this.#dir = dir;
    this.#tree = tree;
  }

  /** The raw paths among these that must not be merged line by line (`-merge`, `merge=binary`). */
  async listExcluded(paths: readonly string[]): Promise<string[]> {
    if (paths.length === 0) return [];
    const env = { GIT_INDEX_FILE: join(this.#dir, 'attributes') };
    // Nothing is written to disk here, so no name can do harm.
    const names = ['-c', 'core.protectNTFS=false', '-c', 'core.protectHFS=false'];
    const gitRun = await this.#git([...names, 'read-tree', this.#tree], { env, answers: [128] });
    // No index and so no checkout can hold this tree: git reads no attributes there.
    if (gitRun.exitCode !== 0) return [];
    const { stdout } = await this.#git(['check-attr', '--cached', '-z', '--stdin', 'merge'], {
      env,
      encoding: 'latin1',
      input: Buffer.from(paths.map((path) => `${path}\0`).join(''), 'latin1'),
    });
    const fields = splitFields(stdout);
    return paths.filter((_, index) => EXCLUDED.has(fields[index * 3 + 2] ?? ''));
  }
}

/** Ids of trees. */
export interface MergedTrees {
  bases: readonly string[];
  ours: string;
  theirs: string;
  result: string;
}

type Folder = Map<string, TreeEntry>;

interface FolderVisit {
  /** Raw; with a slash at its end, empty for the root. */
  path: string;
  bases: readonly (string | null)[];
  ours: string | null;
  theirs: string | null;
  result: string | null;
}

interface Finding {
  path: string;
  versions: NameVersions;
}

const CHANGED_ALONE = 'git would change it although at most one side did';
const NOT_BY_LINE = 'both sides changed it, and its lines cannot be merged one by one';
const NOT_MERGED = 'both sides changed it, and .gitattributes excludes it from merges';

const selectLeaf = (entry: MaybeEntry): MaybeEntry =>
  entry && entry.kind !== 'folder' ? entry : undefined;
const selectFolder = (entry: MaybeEntry): MaybeEntry =>
  entry?.kind === 'folder' ? entry : undefined;

function isAsExpected(versions: NameVersions): boolean {
  const expected = deriveExpectedEntry(versions);
  return expected !== null && expected.entry?.oid === versions.result?.oid;
}

/**
 * Checks git's merge against a rule of svc, entry by entry: an entry that is equal on both sides,
 * or changed on one side only, has that side's kind and id; a file that both changed is what `git
 * merge-file` makes of it; a rename explains the rest. What breaks the rule is a conflict.
 */
export class MergeCheck {
  readonly #git: GitRunner;
  readonly #dir: string;
  readonly #trees: MergedTrees;
  readonly #conflicts: Conflicts = new Map();
  readonly #suspects: Finding[] = [];
  readonly #lines: (Finding & { base: string; ours: string; theirs: string })[] = [];
  readonly #merged: string[] = [];

  constructor(git: GitRunner, dir: string, trees: MergedTrees) {
    this.#git = git;
    this.#dir = dir;
    this.#trees = trees;
  }

  async run(): Promise<Conflicts> {
    await this.#walk();
    await this.#checkLines();
    await this.#checkRenames();
    const attributes = new MergeAttributes(this.#git, this.#dir, this.#trees.ours);
    for (const path of await attributes.listExcluded(this.#merged))
      this.#conflicts.set(path, NOT_MERGED);
    return this.#conflicts;
  }

  async #walk(): Promise<void> {
    const root: FolderVisit = { ...this.#trees, path: '' };
    for (let level = [root]; level.length > 0; ) {
      const oids = level.flatMap(({ bases, ours, theirs, result }) => [
        ...bases,
        ours,
        theirs,
        result,
      ]);
      const objects = await loadObjects(
        this.#git,
        oids.filter((oid) => oid !== null),
      );
      const folder = (oid: string | null): Folder => {
        const object = oid === null ? undefined : objects.get(oid);
        return object && oid !== null ? parseTree(object.bytes, oid) : new Map();
      };
      level = level.flatMap((visit) => this.#visit(visit, folder));
    }
  }

  /** Checks the entries of one folder; answers the folders in it that must be visited too. */
  #visit(visit: FolderVisit, folder: (oid: string | null) => Folder): FolderVisit[] {
    const bases = visit.bases.map(folder);
    const [ours, theirs] = [folder(visit.ours), folder(visit.theirs)];
    const result = folder(visit.result);
    const folderVisits: FolderVisit[] = [];
    for (const name of new Set([...ours.keys(), ...theirs.keys(), ...result.keys()])) {
      const at = (pick: (entry: MaybeEntry) => MaybeEntry): NameVersions => {
        const [base, ...others] = bases.map((one) => pick(one.get(name)));
        const isBaseKnown = others.every((one) => isSameEntry(one, base));
        return {
          base: isBaseKnown ? base : undefined,
          isBaseKnown,
          ours: pick(ours.get(name)),
          theirs: pick(theirs.get(name)),
          result: pick(result.get(name)),
        };
      };
      this.#checkLeaf(`${visit.path}${name}`, at(selectLeaf));
      const below = at(selectFolder);
      if (!isAsExpected(below))
        folderVisits.push({
          path: `${visit.path}${name}/`,
          bases: bases.map((one) => selectFolder(one.get(name))?.oid ?? null),
          ours: below.ours?.oid ?? null,
          theirs: below.theirs?.oid ?? null,
          result: below.result?.oid ?? null,
        });
    }
    return folderVisits;
  }

  #checkLeaf(path: string, versions: NameVersions): void {
    const check = checkMergedEntry(versions);
    if (check.kind === 'suspect') this.#suspects.push({ path, versions });
    if (check.kind === 'lines') {
      const { base, ours, theirs } = check;
      this.#lines.push({ path, versions, base: base.oid, ours: ours.oid, theirs: theirs.oid });
    }
  }

  async #checkLines(): Promise<void> {
    for (const { path, versions, base, ours, theirs } of this.#lines) {
      const merged = await mergeBlobs(this.#git, this.#dir, { base, ours, theirs });
      if (merged !== versions.result?.oid) this.#conflicts.set(path, NOT_BY_LINE);
      else if (base !== ours && base !== theirs && ours !== theirs) this.#merged.push(path);
    }
  }

  async #checkRenames(): Promise<void> {
    if (this.#suspects.length === 0) return;
    const { bases, ours, theirs } = this.#trees;
    const renames: MergeRenames[] = [];
    for (const base of bases)
      renames.push(await MergeRenames.read(this.#git, this.#dir, { base, ours, theirs }));
    for (const { path, versions } of this.#suspects) {
      const { result } = versions;
      const file = result && selectLeaf(result) ? { ...versions, path, result } : null;
      let isExplained = false;
      for (const one of renames) isExplained ||= file !== null && (await one.isMergeResult(file));
      if (isExplained) this.#merged.push(path);
      else this.#conflicts.set(path, CHANGED_ALONE);
    }
  }
}
