import { MergeAttributes } from './mergeAttributes.ts';
import { mergeBlobs } from './mergeBlobs.ts';
import { MergeRenames } from './mergeRenames.ts';
import {
  expectedEntry,
  judgeEntry,
  type MaybeEntry,
  mergeMode,
  type NameVersions,
} from './mergeRule.ts';
import type { Conflicts } from './mergeTrees.ts';
import { type GitRunner, loadObjects } from './loadObjects.ts';
import { entryKind, formatTree, parseTree, type TreeEntry } from './treeObject.ts';

/** Ids of trees. */
export interface MergedTrees {
  /** Those of the common ancestors: several after criss-cross merges. */
  bases: readonly string[];
  ours: string;
  theirs: string;
  result: string;
}

type Folder = Map<string, TreeEntry>;

/** One folder of the merge; an id is null where a version has no such folder. */
interface FolderVisit {
  /** Raw; with a slash at its end, empty for the root. */
  path: string;
  bases: readonly (string | null)[];
  ours: string | null;
  theirs: string | null;
  result: string | null;
  /** Where it is in the result; null for the root. */
  parent: { visit: FolderVisit; name: string } | null;
  /** What the result is to hold. */
  entries: Folder;
  isChanged: boolean;
}

interface Finding {
  path: string;
  versions: NameVersions;
}

const NO_ENTRIES: Folder = new Map();
const CHANGED_ALONE = 'git would change it although at most one side did';
const NOT_BY_LINE = 'both sides changed it, and its lines cannot be merged one by one';
const NOT_MERGED = 'both sides changed it, and .gitattributes excludes it from merges';

const asLeaf = (entry: MaybeEntry): MaybeEntry =>
  entry && entryKind(entry) !== 'folder' ? entry : undefined;
const asFolder = (entry: MaybeEntry): MaybeEntry =>
  entry && entryKind(entry) === 'folder' ? entry : undefined;

/**
 * Holds what git has merged against a rule of its own, entry by entry and byte by byte: an entry
 * that is equal on both sides, or changed on one side only, has that side's mode and id; a file that
 * both changed is what `git merge-file` makes of it; a rename explains the rest. What breaks the
 * rule is a conflict. Modes that git does not know are put back.
 */
export class MergeCheck {
  readonly #git: GitRunner;
  readonly #dir: string;
  readonly #trees: MergedTrees;
  readonly #conflicts: Conflicts = new Map();
  readonly #suspects: Finding[] = [];
  readonly #lines: (Finding & { base: string; ours: string; theirs: string })[] = [];
  /** Paths of files whose content has been merged. */
  readonly #merged: string[] = [];

  /** `dir`: a folder for drafts. */
  constructor(git: GitRunner, dir: string, trees: MergedTrees) {
    this.#git = git;
    this.#dir = dir;
    this.#trees = trees;
  }

  /** The tree to commit, and what keeps it from being committed. */
  async run(): Promise<{ tree: string; conflicts: Conflicts }> {
    const visits = await this.#walk();
    await this.#checkLines();
    await this.#checkRenames();
    const attributes = new MergeAttributes(this.#git, this.#dir, this.#trees.ours);
    for (const path of await attributes.excluded(this.#merged))
      this.#conflicts.set(path, NOT_MERGED);
    const isFine = this.#conflicts.size === 0;
    const tree = isFine ? await this.#write(visits) : this.#trees.result;
    return { tree, conflicts: this.#conflicts };
  }

  async #walk(): Promise<FolderVisit[]> {
    const root: FolderVisit = {
      ...this.#trees,
      path: '',
      parent: null,
      entries: NO_ENTRIES,
      isChanged: false,
    };
    const all: FolderVisit[] = [];
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
      all.push(...level);
      level = level.flatMap((visit) => this.#visit(visit, folder));
    }
    return all;
  }

  /** Judges the entries of one folder; answers the folders in it that must be visited too. */
  #visit(visit: FolderVisit, folder: (oid: string | null) => Folder): FolderVisit[] {
    const bases = visit.bases.map(folder);
    const [ours, theirs] = [folder(visit.ours), folder(visit.theirs)];
    visit.entries = folder(visit.result);
    const found: FolderVisit[] = [];
    for (const name of new Set([...ours.keys(), ...theirs.keys(), ...visit.entries.keys()])) {
      const at = (pick: (entry: MaybeEntry) => MaybeEntry): NameVersions => {
        const [base, ...others] = bases.map((one) => pick(one.get(name)));
        const isBaseKnown = others.every(
          (one) => one?.oid === base?.oid && one?.mode === base?.mode,
        );
        return {
          base: isBaseKnown ? base : undefined,
          isBaseKnown,
          ours: pick(ours.get(name)),
          theirs: pick(theirs.get(name)),
          result: pick(visit.entries.get(name)),
        };
      };
      this.#judgeLeaf(visit, name, at(asLeaf));
      const below = at(asFolder);
      if (this.#mustVisit(visit, name, below))
        found.push({
          path: `${visit.path}${name}/`,
          bases: bases.map((one) => asFolder(one.get(name))?.oid ?? null),
          ours: below.ours?.oid ?? null,
          theirs: below.theirs?.oid ?? null,
          result: below.result?.oid ?? null,
          parent: { visit, name },
          entries: NO_ENTRIES,
          isChanged: false,
        });
    }
    return found;
  }

  #judgeLeaf(visit: FolderVisit, name: string, versions: NameVersions): void {
    const path = `${visit.path}${name}`;
    const verdict = judgeEntry(versions);
    if (verdict.kind === 'replace') replaceEntry(visit, name, verdict.entry);
    else if (verdict.kind === 'suspect') this.#suspects.push({ path, versions });
    else if (verdict.kind === 'lines' && versions.result) {
      const { base, ours, theirs, mode } = verdict;
      this.#lines.push({ path, versions, base: base.oid, ours: ours.oid, theirs: theirs.oid });
      replaceEntry(visit, name, { mode, oid: versions.result.oid });
    }
  }

  /** False for a folder that is as the rule wants it, with all that is in it. */
  #mustVisit(visit: FolderVisit, name: string, versions: NameVersions): boolean {
    const { base, ours, theirs, result } = versions;
    const expected = expectedEntry(versions);
    if (expected && expected.entry?.oid === result?.oid) {
      if (expected.entry) replaceEntry(visit, name, expected.entry);
      return false;
    }
    const sides = [ours, theirs].filter((side) => side !== undefined);
    if (result && sides[0]) {
      const mode = mergeMode(base?.mode, sides[0].mode, (sides[1] ?? sides[0]).mode);
      replaceEntry(visit, name, { ...result, mode });
    }
    return true;
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
      const file = result && asLeaf(result) ? { ...versions, path, result } : null;
      let isExplained = false;
      for (const one of renames) isExplained ||= file !== null && (await one.explain(file));
      if (isExplained) this.#merged.push(path);
      else this.#conflicts.set(path, CHANGED_ALONE);
    }
  }

  /** Writes the folders whose entries were replaced, the deepest ones first. */
  async #write(visits: readonly FolderVisit[]): Promise<string> {
    let tree = this.#trees.result;
    for (const visit of visits.toReversed()) {
      if (!visit.isChanged) continue;
      const args = ['hash-object', '-t', 'tree', '-w', '--literally', '--stdin'];
      const { stdout } = await this.#git(args, { input: formatTree(visit.entries) });
      const oid = stdout.trim();
      if (visit.parent === null) tree = oid;
      else {
        const { visit: above, name } = visit.parent;
        const entry = above.entries.get(name);
        if (entry) replaceEntry(above, name, { ...entry, oid });
      }
    }
    return tree;
  }
}

function replaceEntry(visit: FolderVisit, name: string, entry: TreeEntry): void {
  const before = visit.entries.get(name);
  if (!before || (before.mode === entry.mode && before.oid === entry.oid)) return;
  visit.entries.set(name, entry);
  visit.isChanged = true;
}
