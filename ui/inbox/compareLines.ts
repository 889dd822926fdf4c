/** Most lines that may differ: the time grows with its square. */
const MAX_EDITS = 1_000;

/** A line of a comparison: in both texts, only in the earlier one, or only in the later one. */
export interface ComparedLine {
  kind: 'same' | 'removed' | 'added';
  text: string;
}

const createLineMapper =
  (kind: ComparedLine['kind']) =>
  (text: string): ComparedLine => ({ kind, text });

/** The shortest way between two texts, by line (Myers 1986); null = more than MAX_EDITS differ. */
export function compareLines(before: string, after: string): ComparedLine[] | null {
  const a = before.split(/\r?\n/);
  const b = after.split(/\r?\n/);
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head += 1;
  let tail = 0;
  while (
    tail < Math.min(a.length, b.length) - head &&
    a[a.length - 1 - tail] === b[b.length - 1 - tail]
  )
    tail += 1;
  const middle = findLineEdits(a.slice(head, a.length - tail), b.slice(head, b.length - tail));
  const same = createLineMapper('same');
  return (
    middle && [...a.slice(0, head).map(same), ...middle, ...a.slice(a.length - tail).map(same)]
  );
}

/**
 * How far into `a` the paths of one step reach, by diagonal (line of `a` minus line of `b`).
 * Diagonals lie between -step - 1 and step + 1.
 */
interface Step {
  step: number;
  reach: Int32Array;
}

const readReach = ({ step, reach }: Step, diagonal: number): number =>
  reach[diagonal + step + 1] ?? -1;

/** Whether the best path to a diagonal adds a line of `b`, and does not remove one of `a`. */
const addsLine = (before: Step, diagonal: number, step: number): boolean =>
  diagonal === -step ||
  (diagonal !== step && readReach(before, diagonal - 1) < readReach(before, diagonal + 1));

function findLineEdits(a: readonly string[], b: readonly string[]): ComparedLine[] | null {
  const steps: Step[] = [];
  const most = Math.min(MAX_EDITS, a.length + b.length);
  let before: Step = { step: 0, reach: Int32Array.of(-1, 0, 0) };
  for (let step = 0; step <= most; step += 1) {
    steps.push(before);
    const now: Step = { step: step + 1, reach: new Int32Array(2 * step + 5).fill(-1) };
    for (let diagonal = -step; diagonal <= step; diagonal += 2) {
      let x = addsLine(before, diagonal, step)
        ? readReach(before, diagonal + 1)
        : readReach(before, diagonal - 1) + 1;
      while (x < a.length && x - diagonal < b.length && a[x] === b[x - diagonal]) x += 1;
      now.reach[diagonal + step + 2] = x;
      if (x >= a.length && x - diagonal >= b.length) return traceLineEdits(a, b, steps);
    }
    before = now;
  }
  return null;
}

function traceLineEdits(
  a: readonly string[],
  b: readonly string[],
  steps: readonly Step[],
): ComparedLine[] {
  const lines: ComparedLine[] = [];
  let x = a.length;
  let y = b.length;
  for (const [step, before] of [...steps.entries()].reverse()) {
    const diagonal = x - y;
    const isAddition = addsLine(before, diagonal, step);
    const from = isAddition ? diagonal + 1 : diagonal - 1;
    const fromX = readReach(before, from);
    const fromY = fromX - from;
    while (x > Math.max(0, fromX) && y > Math.max(0, fromY)) {
      x -= 1;
      y -= 1;
      lines.push({ kind: 'same', text: a[x] ?? '' });
    }
    if (step > 0)
      lines.push(
        isAddition
          ? { kind: 'added', text: b[fromY] ?? '' }
          : { kind: 'removed', text: a[fromX] ?? '' },
      );
    x = fromX;
    y = fromY;
  }
  return lines.reverse();
}

/** Lines around a change that are shown with it. */
const CONTEXT = 3;

/** A comparison without what is far from every change: `left out` says how many lines that is. */
export type ComparedPart = ComparedLine | { kind: 'left out'; lines: number };

/** The parts of a comparison that are worth reading; empty if nothing differs. */
export function pickChangedParts(lines: readonly ComparedLine[]): ComparedPart[] {
  const near = new Set<number>();
  for (const [index, { kind }] of lines.entries())
    if (kind !== 'same')
      for (let other = index - CONTEXT; other <= index + CONTEXT; other += 1) near.add(other);
  if (near.size === 0) return [];
  const parts: ComparedPart[] = [];
  for (const [index, line] of lines.entries()) {
    const last = parts.at(-1);
    if (near.has(index)) parts.push(line);
    else if (last?.kind === 'left out') last.lines += 1;
    else parts.push({ kind: 'left out', lines: 1 });
  }
  return parts;
}
