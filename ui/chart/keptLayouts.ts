import type { ElkExtendedEdge, ElkNode } from 'elkjs/lib/elk-api.js';
import { readRemembered, remember } from '../shell/remember.ts';

/** Layouts that this browser keeps, so that a chart that is shown again is drawn at once. */
const MOST_LAYOUTS = 12;
/** All of them together, characters of JSON; the storage of a page holds some five million. */
const MOST_CHARS = 1_000_000;
const NAME = 'layouts';

interface KeptLayout {
  hash: string;
  layout: ElkNode;
}

/** 53 bits of a text, as 14 hex digits: two rounds of multiply and xor (cyrb53). Not for secrets. */
export function hashLayoutInput(text: string): string {
  let [high, low] = [0xdeadbeef, 0x41c6ce57];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    high = Math.imul(high ^ code, 2_654_435_761);
    low = Math.imul(low ^ code, 1_597_334_677);
  }
  high =
    Math.imul(high ^ (high >>> 16), 2_246_822_507) ^ Math.imul(low ^ (low >>> 13), 3_266_489_909);
  low =
    Math.imul(low ^ (low >>> 16), 2_246_822_507) ^ Math.imul(high ^ (high >>> 13), 3_266_489_909);
  const bits = 4_294_967_296 * (2_097_151 & low) + (high >>> 0);
  return bits.toString(16).padStart(14, '0');
}

/** The places alone: what else is in a layout is in its input. */
function keepPlaces({ id, x, y, width, height, children, edges }: ElkNode): ElkNode {
  return {
    id,
    ...(x === undefined ? {} : { x }),
    ...(y === undefined ? {} : { y }),
    ...(width === undefined ? {} : { width }),
    ...(height === undefined ? {} : { height }),
    ...(children ? { children: children.map(keepPlaces) } : {}),
    ...(edges ? { edges: edges.map(keepEdge) } : {}),
  };
}

const keepEdge = ({
  id,
  sources,
  targets,
  sections,
  labels,
}: ElkExtendedEdge): ElkExtendedEdge => ({
  id,
  sources,
  targets,
  ...(sections ? { sections } : {}),
  ...(labels
    ? {
        labels: labels.map(({ id: label = '', x = 0, y = 0, width = 0, height = 0 }) => ({
          id: label,
          x,
          y,
          width,
          height,
        })),
      }
    : {}),
});

function isKeptLayout(value: unknown): value is KeptLayout {
  const { hash, layout } = Object(value);
  return (
    typeof hash === 'string' &&
    Array.isArray(layout?.children) &&
    Number.isFinite(layout.width) &&
    Number.isFinite(layout.height)
  );
}

/** Oldest first; what another version has stored, or a hand has changed, is left out. */
function readKept(): KeptLayout[] {
  try {
    const storedLayouts: unknown = JSON.parse(readRemembered(NAME) ?? '[]');
    return Array.isArray(storedLayouts) ? storedLayouts.filter(isKeptLayout) : [];
  } catch {
    return [];
  }
}

/** The layout of the input with this hash; undefined = it is not kept. */
export const findKeptLayout = (hash: string): ElkNode | undefined =>
  readKept().find((one) => one.hash === hash)?.layout;

/** Keeps a layout in this browser, in the place of the oldest where there is no room. */
export function keepLayout(hash: string, layout: ElkNode): void {
  const layouts = [
    ...readKept().filter((one) => one.hash !== hash),
    { hash, layout: keepPlaces(layout) },
  ].slice(-MOST_LAYOUTS);
  let text = JSON.stringify(layouts);
  while (text.length > MOST_CHARS && layouts.length > 0) {
    layouts.shift();
    text = JSON.stringify(layouts);
  }
  remember(NAME, text);
}
