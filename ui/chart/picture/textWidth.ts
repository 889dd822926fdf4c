import type { TextRole, TextRow } from './graph.ts';

/** Width of a text in pixels at scale 1. */
export type Measure = (text: string, role: TextRole) => number;

/** Height of a line, pixels. */
export const LINE = 16;
/** Font of each kind of line, as CSS writes it. The classes of chart.css say the same. */
export const FONTS: Readonly<Record<TextRole, { weight: number; px: number; mono: boolean }>> = {
  title: { weight: 600, px: 13.5, mono: false },
  note: { weight: 400, px: 11.5, mono: false },
  tag: { weight: 500, px: 10.5, mono: false },
  says: { weight: 600, px: 11.5, mono: false },
  event: { weight: 600, px: 11.5, mono: true },
  guard: { weight: 400, px: 11.5, mono: true },
  effect: { weight: 400, px: 11.5, mono: true },
  target: { weight: 600, px: 11.5, mono: false },
  count: { weight: 600, px: 11.5, mono: false },
  failed: { weight: 600, px: 11.5, mono: false },
};

/** Used without a screen: wide enough for common fonts, so that nothing overlaps. */
export const measureRoughly: Measure = (text, role) => {
  const { px, mono, weight } = FONTS[role];
  return text.length * px * (mono ? 0.61 : weight > 500 ? 0.6 : 0.55);
};

export const measureWidestRow = (rows: readonly TextRow[], measure: Measure): number =>
  Math.max(0, ...rows.map(({ text, role }) => measure(text, role)));
