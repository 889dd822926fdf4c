import type { Rect } from './picture/drawing.ts';
import type { PlacedItem } from './chartItems.ts';

export type ArrowHeading = 'up' | 'down' | 'left' | 'right';

/** How much a step to the side costs, as against one straight on. */
const SIDEWAYS = 2.5;

const findMiddle = ({ x, y, width, height }: Rect) => ({ x: x + width / 2, y: y + height / 2 });

/** Straight on and sideways from one middle to the other, as seen when heading that way. */
function measureSteps(from: Rect, to: Rect, heading: ArrowHeading): { on: number; aside: number } {
  const [a, b] = [findMiddle(from), findMiddle(to)];
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  if (heading === 'left') return { on: -dx, aside: Math.abs(dy) };
  if (heading === 'right') return { on: dx, aside: Math.abs(dy) };
  return { on: heading === 'up' ? -dy : dy, aside: Math.abs(dx) };
}

/** The item that lies nearest in that direction; undefined where none does. */
export function findNeighbour(
  items: readonly PlacedItem[],
  from: PlacedItem,
  heading: ArrowHeading,
): PlacedItem | undefined {
  let best: { item: PlacedItem; cost: number } | undefined;
  for (const item of items) {
    if (item === from) continue;
    const { on, aside } = measureSteps(from.place, item.place, heading);
    if (on <= 1) continue;
    const cost = on + aside * SIDEWAYS;
    if (!best || cost < best.cost) best = { item, cost };
  }
  return best?.item;
}

const HEADINGS: Readonly<Record<string, ArrowHeading>> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowLeft: 'left',
  ArrowRight: 'right',
};

/**
 * Where a key leads from an item: arrow keys to the nearest one that way, Home and End to the first
 * and the last, PageDown and PageUp on and back in reading order. Undefined for every other key;
 * the item itself where nothing lies there.
 */
export function findItemAfterKey(
  items: readonly PlacedItem[],
  from: PlacedItem,
  key: string,
): PlacedItem | undefined {
  const heading = HEADINGS[key];
  if (heading) return findNeighbour(items, from, heading) ?? from;
  const place = items.indexOf(from);
  if (key === 'Home') return items[0];
  if (key === 'End') return items.at(-1);
  if (key === 'PageDown') return items[place + 1] ?? from;
  if (key === 'PageUp') return items[place - 1] ?? from;
  return undefined;
}
