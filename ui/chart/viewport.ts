import type { Rect } from './picture/drawing.ts';

export interface Extent {
  width: number;
  height: number;
}

/** Scales that the buttons step through; 1 = as it was laid out. */
export const SCALES: readonly number[] = [
  0.15, 0.2, 0.25, 0.33, 0.42, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.15, 1.3, 1.5, 1.75, 2, 2.5, 3,
];
/** Below this scale text is too small to be read: 11.5 px become less than 9. */
export const READABLE = 0.8;
/** At most as large as this when a part is brought close. */
const CLOSE = 1.3;

const least = SCALES[0] ?? 1;
const most = SCALES.at(-1) ?? 1;
export const clampScale = (scale: number): number => Math.min(most, Math.max(least, scale));

/** Whether a picture can be zoomed to it. */
export const isScale = (scale: number): boolean => scale >= least && scale <= most;

export function findNextScale(scale: number, by: 1 | -1): number {
  const next =
    by > 0
      ? SCALES.find((one) => one > scale + 0.001)
      : SCALES.findLast((one) => one < scale - 0.001);
  return next ?? clampScale(scale);
}

/** At which all of it is seen, never larger than it was laid out. */
export const computeFitScale = (drawing: Extent, view: Extent): number =>
  clampScale(Math.min(1, view.width / drawing.width, view.height / drawing.height));

/** At which it is first shown: all of it where that can be read, else as small as can be read. */
export const computeFirstScale = (drawing: Extent, view: Extent): number =>
  Math.max(READABLE, computeFitScale(drawing, view));

/** At which a place fills the view, with some room around it; always readable. */
export const computeCloseScale = (place: Extent, view: Extent): number =>
  Math.min(
    CLOSE,
    Math.max(READABLE, Math.min(view.width / (place.width * 2), view.height / (place.height * 2))),
  );

/** The smallest place that holds all of these; undefined for none. */
export function encloseRects(places: readonly Rect[]): Rect | undefined {
  const [first, ...others] = places;
  if (!first) return undefined;
  let { x, y } = first;
  let [right, bottom] = [x + first.width, y + first.height];
  for (const place of others) {
    x = Math.min(x, place.x);
    y = Math.min(y, place.y);
    right = Math.max(right, place.x + place.width);
    bottom = Math.max(bottom, place.y + place.height);
  }
  return { x, y, width: right - x, height: bottom - y };
}

/** Whether a drawing is larger than its view at a scale; a pixel of rounding is not. */
export const overflowsView = (drawing: Extent, view: Extent, scale: number): boolean =>
  drawing.width * scale > view.width + 1 || drawing.height * scale > view.height + 1;

/** Where to scroll to keep the drawing's point under `pointer` (from the view's corner) there. */
export const scrollToKeep = (
  scroll: { x: number; y: number },
  pointer: { x: number; y: number },
  from: number,
  to: number,
) => ({
  x: ((scroll.x + pointer.x) * to) / from - pointer.x,
  y: ((scroll.y + pointer.y) * to) / from - pointer.y,
});

export const scrollToMiddle = ({ x, y, width, height }: Rect, view: Extent, scale: number) => ({
  x: (x + width / 2) * scale - view.width / 2,
  y: (y + height / 2) * scale - view.height / 2,
});
