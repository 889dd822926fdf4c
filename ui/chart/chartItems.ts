import type { Drawing, DrawnBox, DrawnWay, Rect } from './picture/drawing.ts';
import { PAD_Y, TITLE_LINE } from './picture/graphSizes.ts';

export interface ChartItem {
  kind: 'box' | 'way';
  /** Of the node, or of the arrow. */
  id: string;
}

/** An item with the place where it is aimed at; that of a box which holds others is its head. */
export interface PlacedItem extends ChartItem {
  place: Rect;
}

export const isSameItem = (a: ChartItem | null, b: ChartItem | null): boolean =>
  a === b || (a !== null && b !== null && a.kind === b.kind && a.id === b.id);

/** Everything that can be chosen, once each, in reading order. */
export function listPlacedItems({ boxes, edges }: Drawing): PlacedItem[] {
  const seenIds = new Set<string>();
  const items: PlacedItem[] = [];
  const addWay = (id: string, place: Rect) => {
    if (seenIds.has(id)) return;
    seenIds.add(id);
    items.push({ kind: 'way', id, place });
  };
  for (const box of boxes) {
    if (box.node.kind === 'start') continue;
    const head = box.node.children.length > 0 ? { ...box, height: TITLE_LINE + 2 * PAD_Y } : box;
    const { x, y, width, height } = head;
    items.push({ kind: 'box', id: box.node.id, place: { x, y, width, height } });
    for (const way of box.ways) addWay(way.arrow, way);
    for (const { edge, ways } of edges)
      if (edge.source === box.node.id) for (const way of ways) addWay(way.arrow, way);
  }
  return items;
}

export const readBoxText = ({ node: { title, tags, rows } }: DrawnBox): string =>
  [title, ...tags, ...rows.map(({ text }) => text)].join(' ');

export const readWayText = ({ lines }: DrawnWay): string =>
  lines
    .flat()
    .map(({ text }) => text)
    .join(' ');
