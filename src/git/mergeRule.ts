import { entryKind, type TreeEntry } from './treeObject.ts';

/** An entry at one name of a folder; undefined = none. */
export type MaybeEntry = TreeEntry | undefined;

/** The same name where both sides began, on each side, and in what git has merged. */
export interface NameVersions {
  /** Undefined too where several common ancestors differ; then `isBaseKnown` is false. */
  base: MaybeEntry;
  isBaseKnown: boolean;
  ours: MaybeEntry;
  theirs: MaybeEntry;
  result: MaybeEntry;
}

/**
 * What the rule says of a file, link or submodule of a merge: `fine`; `replace` = right, but git has
 * written its mode in another form; `lines` = both sides changed a file, so `git merge-file` must say the same;
 * `suspect` = it can only come from a rename.
 */
export type Verdict =
  | { kind: 'fine' }
  | { kind: 'replace'; entry: TreeEntry }
  | { kind: 'lines'; mode: string; base: TreeEntry; ours: TreeEntry; theirs: TreeEntry }
  | { kind: 'suspect' };

export const isSameEntry = (one: MaybeEntry, other: MaybeEntry): boolean =>
  one?.oid === other?.oid && one?.mode === other?.mode;

/** The same to git, which knows fewer modes than there are. */
const isAlike = (one: MaybeEntry, other: MaybeEntry): boolean =>
  one && other ? one.oid === other.oid && entryKind(one) === entryKind(other) : one === other;

const isFile = (entry: TreeEntry): boolean =>
  entryKind(entry) === 'file' || entryKind(entry) === 'executable';

const FINE: Verdict = { kind: 'fine' };
const SUSPECT: Verdict = { kind: 'suspect' };

const expectEntry = (expected: MaybeEntry, result: MaybeEntry): Verdict => {
  if (isSameEntry(expected, result)) return FINE;
  return expected && isAlike(expected, result) ? { kind: 'replace', entry: expected } : SUSPECT;
};

/** The side that differs from the base; of both, ours. */
export const mergeMode = (base: string | undefined, ours: string, theirs: string): string =>
  base === ours ? theirs : ours;

/**
 * The one entry that the rule allows: equal on both sides, or changed on one side only. Null: both
 * sides changed it, or it is not known.
 */
export function expectedEntry({
  base,
  isBaseKnown,
  ours,
  theirs,
}: NameVersions): { entry: MaybeEntry } | null {
  if (isSameEntry(ours, theirs)) return { entry: ours };
  if (!isBaseKnown) return null;
  if (isSameEntry(base, ours)) return { entry: theirs };
  return isSameEntry(base, theirs) ? { entry: ours } : null;
}

/** Whether one side has removed an entry whose mode the other has only written in another form. */
function isUnseenChange(base: MaybeEntry, ours: MaybeEntry, theirs: MaybeEntry): boolean {
  const left = ours ?? theirs;
  return base !== undefined && !(ours && theirs) && left !== undefined && isAlike(base, left);
}

/** Judges what git made of a name that holds no folder. */
export function judgeEntry(versions: NameVersions): Verdict {
  const expected = expectedEntry(versions);
  const { base, isBaseKnown, ours, theirs, result } = versions;
  if (expected) return expectEntry(expected.entry, result);
  // Both sides changed it: without a result, one of them has renamed it, or both have removed it. A
  // change that git does not see is one all the same: it must not be lost with a removal.
  if (!result) return isUnseenChange(base, ours, theirs) ? SUSPECT : FINE;
  if (ours && theirs && isAlike(ours, theirs))
    return expectEntry(isSameEntry(base, ours) ? theirs : ours, result);
  if (!isBaseKnown)
    return expectEntry([ours, theirs].find((side) => isAlike(side, result)) ?? result, result);
  if (!base || !ours || !theirs) return SUSPECT;
  if (isFile(base) && isFile(ours) && isFile(theirs) && isFile(result)) {
    const mode = mergeMode(base.mode, ours.mode, theirs.mode);
    const isRightKind = entryKind({ mode }) === entryKind(result);
    return isRightKind ? { kind: 'lines', mode, base, ours, theirs } : SUSPECT;
  }
  if (isAlike(base, ours)) return expectEntry(theirs, result);
  return isAlike(base, theirs) ? expectEntry(ours, result) : SUSPECT;
}
