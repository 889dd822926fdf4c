import { type EntryKind, isFile, type TreeEntry } from './treeObject.ts';

/** An entry at one name of a folder; undefined = none. */
export type MaybeEntry = TreeEntry | undefined;

export interface NameVersions {
  /** Also undefined where several common ancestors differ; then `isBaseKnown` is false. */
  base: MaybeEntry;
  isBaseKnown: boolean;
  ours: MaybeEntry;
  theirs: MaybeEntry;
  result: MaybeEntry;
}

/**
 * The rule's answer for a file, link or submodule of a merge: `fine`; `lines` = both sides changed
 * a file, so `git merge-file` must give the same; `suspect` = only a rename can explain it.
 */
export type EntryCheck =
  | { kind: 'fine' }
  | { kind: 'lines'; base: TreeEntry; ours: TreeEntry; theirs: TreeEntry }
  | { kind: 'suspect' };

export const isSameEntry = (one: MaybeEntry, other: MaybeEntry): boolean =>
  one?.oid === other?.oid && one?.kind === other?.kind;

const FINE: EntryCheck = { kind: 'fine' };
const SUSPECT: EntryCheck = { kind: 'suspect' };

/** The kind of the side that differs from the base; ours if both do. */
const mergeKind = (base: EntryKind, ours: EntryKind, theirs: EntryKind): EntryKind =>
  base === ours ? theirs : ours;

/**
 * The one entry that the rule allows: equal on both sides, or changed on one side only. Null: both
 * sides changed it, or it is not known.
 */
export function deriveExpectedEntry({
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

/** Checks what git made of a name that holds no folder. */
export function checkMergedEntry(versions: NameVersions): EntryCheck {
  const expected = deriveExpectedEntry(versions);
  const { base, isBaseKnown, ours, theirs, result } = versions;
  if (expected) return isSameEntry(expected.entry, result) ? FINE : SUSPECT;
  // Both sides changed it: without a result, one of them has renamed it, or both have removed it.
  if (!result || !isBaseKnown) return FINE;
  if (!base || !ours || !theirs) return SUSPECT;
  if (![base, ours, theirs, result].every(isFile)) return SUSPECT;
  const isRightKind = mergeKind(base.kind, ours.kind, theirs.kind) === result.kind;
  return isRightKind ? { kind: 'lines', base, ours, theirs } : SUSPECT;
}
