export interface BarPart {
  tone: string;
  says: string;
  value: number;
}

export interface Bar {
  label: string;
  parts: readonly BarPart[];
}

export const sumBarParts = ({ parts }: Pick<Bar, 'parts'>): number =>
  parts.reduce((sum, { value }) => sum + value, 0);

/** The next number of the form 1, 2 or 5 times a power of ten, at least 1. */
export function pickAxisTop(value: number): number {
  if (value <= 1) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 5, 10].map((step) => step * power).find((top) => top >= value) ?? value;
}

/** Where the parts of a bar begin and how long they are, as shares of `top`. */
export function stackBarParts(
  bar: Bar,
  top: number,
): (BarPart & { from: number; share: number })[] {
  let from = 0;
  return bar.parts.map((part) => {
    const share = part.value / top;
    const placedPart = { ...part, from, share };
    from += share;
    return placedPart;
  });
}

/** Which labels are written so that they do not overlap; the last one always is. */
export const isLabelled = (n: number, count: number, most: number): boolean =>
  (count - 1 - n) % Math.max(1, Math.ceil(count / most)) === 0;

// Made once: making one takes longer than drawing a bar.
const DAYS = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** `2026-11-22` for people: `22 Nov`. */
export const formatChartDay = (day: string): string => DAYS.format(new Date(`${day}T00:00:00Z`));

/** Share in whole percent; a dash if the whole is zero. */
export const formatWholePercent = (part: number, whole: number): string =>
  whole === 0 ? '–' : `${Math.round((part / whole) * 100)} %`;

const COMPACT = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

/** `12345` → `12.3k`: fits beside an axis. */
export const formatCompact = (value: number): string => COMPACT.format(value);
