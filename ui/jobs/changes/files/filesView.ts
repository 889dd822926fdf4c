import { createMemo, createSignal } from 'solid-js';
import { explainClosedFile } from '../diff/explainClosedFile.ts';
import { type DiffFile, type DiffLine, toLinePlace } from '../diff/diffFile.ts';
import type { DiffLook } from '../useDiffLook.ts';
import { type DiffRow, listRowLines } from '../diff/diffRows.ts';
import type { ViewedFiles } from '../review/viewedFiles.ts';
import { cutFile, type Slab } from './diffBlocks.ts';

export interface LineOfFile {
  file: DiffFile;
  line: DiffLine;
}

interface ListHandle {
  /** Brings a file to the top of the window. */
  show: (file: DiffFile) => void;
  current: () => DiffFile | null;
}

export type FilesView = ReturnType<typeof createFilesView>;

export function createFilesView(
  files: () => readonly DiffFile[],
  { split, isNarrow }: Pick<DiffLook, 'split' | 'isNarrow'>,
  viewed: ViewedFiles | null,
) {
  const [chosen, setChosen] = createSignal<ReadonlyMap<string, boolean>>(new Map());
  const [cursor, setCursor] = createSignal<LineOfFile | null>(null);
  /** The file that a key led to, which may have no line to be at. */
  const [here, setHere] = createSignal<DiffFile | null>(null);
  const [anchor, setAnchor] = createSignal<DiffLine | null>(null);
  const buttons = new WeakMap<DiffLine, HTMLButtonElement>();
  const [list, setList] = createSignal<ListHandle | null>(null);

  const reasons = createMemo(() => new Map(files().map((file) => [file, explainClosedFile(file)])));
  const reason = (file: DiffFile): string | null =>
    viewed?.has(file.hash) ? 'Viewed' : (reasons().get(file) ?? null);
  const isOpen = (file: DiffFile): boolean =>
    file.lines.length > 0 && (chosen().get(file.hash) ?? reason(file) === null);
  const setOpen = (file: DiffFile, open: boolean) =>
    setChosen((now) => new Map(now).set(file.hash, open));

  const range = createMemo((): DiffLine[] => {
    const at = cursor();
    const from = anchor();
    if (!at || !from) return [];
    const side = toLinePlace(at.line)?.side;
    const lines = at.file.lines.filter((one) => existsOnSide(one, side));
    const [low = -1, high = -1] = [lines.indexOf(from), lines.indexOf(at.line)].sort(
      (one, other) => one - other,
    );
    return low === -1 ? [] : lines.slice(low, high + 1);
  });
  const chosenLines = createMemo((): ReadonlySet<DiffLine> => {
    const at = cursor();
    return new Set(at && range().length === 0 ? [at.line] : range());
  });

  const currentFile = (): DiffFile | null => cursor()?.file ?? here() ?? list()?.current() ?? null;

  const slabOf = ({ file, line }: LineOfFile): Slab | undefined =>
    cutFile(file, split()).slabs.find(({ rows }) =>
      rows.some((row) => listRowLines(row).includes(line)),
    );

  const rowsOfFile = (file: DiffFile): DiffRow[] =>
    cutFile(file, split()).slabs.flatMap(({ rows }) => rows);
  const lineOf = (row: DiffRow): DiffLine | null =>
    listRowLines(row).findLast((line) => toLinePlace(line) !== null) ?? null;
  const linesOfFile = (file: DiffFile): DiffLine[] =>
    rowsOfFile(file).flatMap((row) => lineOf(row) ?? []);

  function focus(at: LineOfFile, keepAnchor = false): void {
    if (!isOpen(at.file)) setOpen(at.file, true);
    if (!keepAnchor) setAnchor(null);
    setCursor(at);
    const button = buttons.get(at.line);
    button?.focus({ preventScroll: true });
    button?.scrollIntoView({ block: 'nearest' });
  }

  /** The lines of the file of the cursor, or of the one at the top of the window. */
  function start(): { file: DiffFile; lines: DiffLine[]; index: number } | null {
    const at = cursor();
    const file = at?.file ?? here() ?? list()?.current() ?? files()[0];
    if (!file) return null;
    const lines = isOpen(file) ? linesOfFile(file) : [];
    const index = at ? lines.findIndex((line) => isSameRow(file, line, at.line)) : -1;
    return { file, lines, index };
  }
  const isSameRow = (file: DiffFile, one: DiffLine, other: DiffLine): boolean =>
    one === other ||
    (split() &&
      rowsOfFile(file).some(
        (row) => listRowLines(row).includes(one) && listRowLines(row).includes(other),
      ));

  /** The first line that is found in the files after one, or before it. */
  function nextFileWith(
    from: DiffFile,
    step: 1 | -1,
    find: (lines: readonly DiffLine[], from: number) => DiffLine | undefined,
  ): LineOfFile | null {
    const all = files();
    for (let at = all.indexOf(from) + step; at >= 0 && at < all.length; at += step) {
      const file = all[at];
      const lines = file && isOpen(file) ? linesOfFile(file) : [];
      const line = find(lines, step === 1 ? 0 : lines.length - 1);
      if (file && line) return { file, line };
    }
    return null;
  }

  return {
    files,
    split,
    isNarrow,
    reason,
    isOpen,
    setOpen,
    cursor,
    slabOf,
    focus,
    /** Sets the cursor without moving the focus: it is at the line already. */
    at(place: LineOfFile): void {
      if (cursor()?.line === place.line) return;
      setAnchor(null);
      setCursor(place);
    },
    isList: (handle: ListHandle) => setList(handle),
    isButton(line: DiffLine, button: HTMLButtonElement): () => void {
      buttons.set(line, button);
      return () => {
        if (buttons.get(line) === button) buttons.delete(line);
      };
    },
    showFile(file: DiffFile): void {
      setCursor(null);
      setHere(file);
      list()?.show(file);
    },
    currentFile,
    /** The window was scrolled by hand: keys begin at what is seen. */
    leave: () => setHere(null),
    /** The next line, or the previous one; `extend`: the lines between become a range. */
    moveLine(step: 1 | -1, extend: boolean): void {
      const now = start();
      if (!now) return;
      const from = cursor();
      if (extend && from) {
        const { side } = toLinePlace(from.line) ?? {};
        const ahead = step === 1 ? now.lines.slice(now.index + 1) : now.lines.slice(0, now.index);
        const isOnSide = (one: DiffLine) => toLinePlace(one)?.side === side;
        const next = step === 1 ? ahead.find(isOnSide) : ahead.findLast(isOnSide);
        if (!next) return;
        if (!anchor()) setAnchor(from.line);
        focus({ file: now.file, line: next }, true);
        return;
      }
      const line = now.index === -1 && step === 1 ? now.lines[0] : now.lines[now.index + step];
      if (line && (now.index !== -1 || step === 1)) focus({ file: now.file, line });
      else {
        const next = nextFileWith(now.file, step, (lines, at) => lines[at]);
        if (next) focus(next);
      }
    },
    /** The first line of the next run of changed lines, or of the one before. */
    moveChange(step: 1 | -1): void {
      const now = start();
      if (!now) return;
      const isFirst = (lines: readonly DiffLine[], at: number) =>
        lines[at]?.kind !== 'same' && (at === 0 || lines[at - 1]?.kind === 'same');
      const find = (lines: readonly DiffLine[], from: number): DiffLine | undefined => {
        for (let at = from; at >= 0 && at < lines.length; at += step)
          if (isFirst(lines, at)) return lines[at];
        return undefined;
      };
      const own = find(now.lines, now.index === -1 && step === -1 ? -1 : now.index + step);
      const next = own ? { file: now.file, line: own } : nextFileWith(now.file, step, find);
      if (next) focus(next);
    },
    /** The next file, or the previous one. */
    moveFile(step: 1 | -1): void {
      const all = files();
      const now = currentFile();
      const next = now ? all[all.indexOf(now) + step] : all[0];
      if (!next) return;
      list()?.show(next);
      setHere(next);
      const [first] = isOpen(next) ? linesOfFile(next) : [];
      if (first) {
        setAnchor(null);
        setCursor({ file: next, line: first });
        buttons.get(first)?.focus({ preventScroll: true });
      } else setCursor(null);
    },
    /** The lines that a comment at this one is about: the range, or the line alone. */
    rangeTo: (at: LineOfFile): DiffLine[] =>
      cursor()?.line === at.line && range().length > 0 ? range() : [at.line],
    isChosen: (line: DiffLine): boolean => chosenLines().has(line),
    /** Makes the lines from the cursor to this one a range. */
    extendTo(place: LineOfFile): void {
      const from = cursor();
      const isSameFile = from !== null && from.file === place.file;
      if (isSameFile && !anchor()) setAnchor(from.line);
      focus(place, isSameFile);
    },
  };
}

const existsOnSide = (line: DiffLine, side: 'before' | 'after' | undefined): boolean =>
  line.kind !== 'hunk' && (side === 'before' ? line.before !== null : line.after !== null);
