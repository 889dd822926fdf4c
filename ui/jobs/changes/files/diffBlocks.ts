import type { DiffFile, DiffLine } from '../diff/diffFile.ts';
import { pairChangedLines, type DiffRow, buildDiffRows } from '../diff/diffRows.ts';

/** Rows of a file that are drawn together. */
const ROWS_OF_A_SLAB = 24;
/** Height of a line that is not broken, px; changes.css has the same. */
const LINE_PX = 20;
/** Height of a file's head, px, and of the space below a file. */
const HEAD_PX = 41;
export const GAP_PX = 12;
/** Height of a note below the head, px. */
const NOTE_PX = 33;

export interface Slab {
  file: DiffFile;
  index: number;
  rows: DiffRow[];
}

/** A file cut up for drawing; made once, so that what is drawn is known again. */
interface CutFile {
  file: DiffFile;
  slabs: Slab[];
  /** Made when a line of the file is drawn: of most files none is. */
  readonly pairs: Map<DiffLine, DiffLine>;
}

const cutOnce = {
  split: new WeakMap<DiffFile, CutFile>(),
  unified: new WeakMap<DiffFile, CutFile>(),
};

export function cutFile(file: DiffFile, split: boolean): CutFile {
  const cutFiles = cutOnce[split ? 'split' : 'unified'];
  const before = cutFiles.get(file);
  if (before) return before;
  const rows = buildDiffRows(file, split);
  const slabs: Slab[] = [];
  for (let from = 0; from < rows.length; from += ROWS_OF_A_SLAB)
    slabs.push({ file, index: slabs.length, rows: rows.slice(from, from + ROWS_OF_A_SLAB) });
  let pairs: Map<DiffLine, DiffLine> | undefined;
  const newCut: CutFile = {
    file,
    slabs,
    get pairs() {
      pairs ??= pairChangedLines(file);
      return pairs;
    },
  };
  cutFiles.set(file, newCut);
  return newCut;
}

/** What is drawn as one: the head of a file, or a slab of its rows. */
export type Block = { kind: 'head'; file: DiffFile } | { kind: 'slab'; file: DiffFile; slab: Slab };

const heads = new WeakMap<DiffFile, Block>();
const slabs = new WeakMap<Slab, Block>();

function findHeadBlock(file: DiffFile): Block {
  const block = heads.get(file) ?? { kind: 'head', file };
  heads.set(file, block);
  return block;
}

function findSlabBlock(slab: Slab): Block {
  const block = slabs.get(slab) ?? { kind: 'slab', file: slab.file, slab };
  slabs.set(slab, block);
  return block;
}

/** The blocks of the files in order; a closed file has its head alone. */
export const listDiffBlocks = (
  files: readonly DiffFile[],
  isOpen: (file: DiffFile) => boolean,
  split: boolean,
): Block[] =>
  files.flatMap((file) => [
    findHeadBlock(file),
    ...(isOpen(file) ? cutFile(file, split).slabs.map(findSlabBlock) : []),
  ]);

const countWrappedLines = (length: number, columns: number): number =>
  Math.max(1, Math.ceil(length / columns));

const guesses = new WeakMap<Slab, { fits: number; height: number }>();

/** Height of a block before it was drawn, px. `columns`: characters that fit beside each other. */
export function guessBlockHeight(block: Block, columns: number): number {
  if (block.kind === 'head') return HEAD_PX + GAP_PX + (block.file.notes.length > 0 ? NOTE_PX : 0);
  const { slab } = block;
  const fits = Math.max(20, columns);
  // Asked for every slab whenever one has been measured.
  const guess = guesses.get(slab);
  if (guess?.fits === fits) return guess.height;
  const height = guessSlabHeight(slab, fits);
  guesses.set(slab, { fits, height });
  return height;
}

const guessSlabHeight = (slab: Slab, fits: number): number =>
  slab.rows.reduce((sum, row) => {
    const length =
      row.kind === 'two'
        ? Math.max(row.left?.text.length ?? 0, row.right?.text.length ?? 0) * 2
        : row.line.text.length;
    return sum + LINE_PX * countWrappedLines(Math.min(length, CLAMPED_CHARS), fits);
  }, 0);

/** Characters of a line that are shown at first. */
export const CLAMPED_CHARS = 500;
