/** A line of a diff; its numbers before and after, null where it does not exist. */
export interface DiffLine {
  kind: 'same' | 'added' | 'removed' | 'hunk';
  before: number | null;
  after: number | null;
  /** Without its sign. Of a hunk: what git writes between the two `@@` and after them. */
  text: string;
  /** The file ends here without a line break. */
  noNewline: boolean;
}

export interface DiffFile {
  path: string;
  /** What it was called before; null = the same, or it is new. */
  from: string | null;
  change: 'changed' | 'added' | 'removed' | 'renamed' | 'copied';
  added: number;
  removed: number;
  binary: boolean;
  /** Sentences about what no line shows: its mode, a rename without changes, that it is binary. */
  notes: string[];
  lines: DiffLine[];
  /** Of path and changes, the same wherever they are in the file. */
  hash: string;
  /** The name or a changed line has characters that are invisible or change the order of others. */
  hidden: boolean;
}

/** The files of a diff. `rest`: why some of it is missing; null = it is complete. */
export interface Diff {
  files: DiffFile[];
  rest: string | null;
}

/** Where a line is commented on: the number after the change, or before it for a removed line. */
export interface LinePlace {
  side: 'before' | 'after';
  line: number;
}

/** The place of a line; null for a row that is not a line of the file. */
export function toLinePlace({ kind, before, after }: DiffLine): LinePlace | null {
  if (kind === 'removed') return before === null ? null : { side: 'before', line: before };
  return kind === 'hunk' || after === null ? null : { side: 'after', line: after };
}
