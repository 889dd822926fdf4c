import { shorten } from '../../../base/text/clip.ts';
import type { ChartNode } from '../../../contract/schema/workflow/machine.ts';
import { formatStateName, collectDrawnArrows, type DrawnArrow } from './describeArrow.ts';

/** Measures of the drawing, px. */
const BOX = { width: 360, height: 62, gap: 46 };
const MARGIN = 24;
const LANE = 26;
const MAX_LABEL = 60;
/** Width of a character of the small text: without a browser nothing can be measured. */
const CHAR = 6.6;

const escapeSvgText = (text: string): string =>
  text.replace(/\p{C}/gu, ' ').replace(/[&<>"']/g, (char) => `&#${char.codePointAt(0)};`);

interface Lane {
  arrow: DrawnArrow;
  from: number;
  to: number;
  lane: number;
}

/** Assigns arrows to lanes beside the column, each to the innermost free one; short ones first. */
function assignLanes(arrows: readonly DrawnArrow[], getRow: (path: string) => number): Lane[] {
  const lanes: Lane[] = [];
  const length = ({ from, to }: DrawnArrow) => Math.abs(getRow(from) - getRow(to));
  for (const arrow of [...arrows].sort((a, b) => length(a) - length(b))) {
    const [from, to] = [getRow(arrow.from), getRow(arrow.to)];
    const [top, bottom] = [Math.min(from, to), Math.max(from, to)];
    let lane = 0;
    while (
      lanes.some(
        (one) =>
          one.lane === lane &&
          Math.min(one.from, one.to) <= bottom &&
          Math.max(one.from, one.to) >= top,
      )
    )
      lane++;
    lanes.push({ arrow, from, to, lane });
  }
  return lanes;
}

const STYLE = `<style>
  svg { color-scheme: light dark; font: 12px system-ui, sans-serif; }
  .box { fill: #ffffff; stroke: #596170; } .wait { stroke-dasharray: 5 4; } .end { fill: #596170; stroke: #596170; }
  .name { font-size: 14px; font-weight: 600; fill: #1a1d23; } .about, .label { fill: #40485a; }
  .label { paint-order: stroke; stroke: #f7f8fa; stroke-width: 5px; stroke-linejoin: round; }
  .way { fill: none; stroke: #596170; } .back { stroke: #2450c4; } .label.back { fill: #2450c4; stroke: #f7f8fa; } .head { fill: #596170; } .head.back { fill: #2450c4; stroke: none; }
  .paper { fill: #f7f8fa; }
  @media (prefers-color-scheme: dark) {
    .paper { fill: #14161b; } .box { fill: #1d2027; stroke: #9aa3b2; } .end { fill: #9aa3b2; stroke: #9aa3b2; } .name { fill: #e6e8ec; }
    .about, .label { fill: #b4bccb; } .way { stroke: #9aa3b2; } .head { fill: #9aa3b2; }
    .way.back { stroke: #8fb0ff; } .label, .label.back { stroke: #14161b; } .label.back, .head.back { fill: #8fb0ff; }
  }
</style>`;

/**
 * A workflow's chart as an SVG document: phases in a column, ways forward on the right, ways back
 * on the left. It runs and loads nothing.
 */
export function renderSvgChart(chart: ChartNode, title: string): string {
  const rows = new Map(chart.states.map(({ path }, index) => [path, index]));
  const getRow = (path: string): number => rows.get(path) ?? 0;
  const all = collectDrawnArrows(chart);
  const straight = all.filter(({ from, to }) => getRow(to) === getRow(from) + 1);
  const down = assignLanes(
    all.filter(({ from, to }) => getRow(to) > getRow(from) + 1),
    getRow,
  );
  const back = assignLanes(
    all.filter(({ from, to }) => getRow(to) <= getRow(from)),
    getRow,
  );

  const widest = (side: readonly Lane[]) =>
    Math.ceil(
      Math.max(
        0,
        ...side.map(
          ({ arrow, lane }) => (lane + 1) * LANE + arrow.labels.join(', ').length * CHAR + 16,
        ),
      ),
    );
  const leftMargin = MARGIN + widest(back);
  const longest = Math.max(
    0,
    ...straight.map(({ labels }) => shorten(labels.join(', '), MAX_LABEL).length),
  );
  const width =
    leftMargin + Math.max(BOX.width + widest(down), BOX.width / 2 + 10 + longest * CHAR) + MARGIN;
  const toTop = (row: number): number => MARGIN + 40 + row * (BOX.height + BOX.gap);
  const height = toTop(chart.states.length - 1) + BOX.height + MARGIN;
  const middle = leftMargin + BOX.width / 2;

  const parts: string[] = [];
  // After all ways, so that no way crosses a label.
  const labels: string[] = [];
  const text = (kind: string, x: number, y: number, content: string, anchor = 'start') =>
    (kind.startsWith('label') ? labels : parts).push(
      `<text class="${kind}" x="${Math.round(x)}" y="${Math.round(y)}" text-anchor="${anchor}">${escapeSvgText(content)}</text>`,
    );
  const initial = rows.get(chart.initial ?? '');
  if (initial !== undefined) {
    const y = toTop(initial) - 22;
    parts.push(
      `<circle class="end" cx="${middle}" cy="${y}" r="5"/>`,
      renderArrowLine('way', `M${middle} ${y} V${toTop(initial)}`),
      renderArrowHead('head', middle, toTop(initial), 'down'),
    );
  }
  for (const [index, { path, type, description, tags }] of chart.states.entries()) {
    const y = toTop(index);
    if (type === 'final') {
      parts.push(
        `<circle class="box" cx="${middle}" cy="${y + 14}" r="12"/>`,
        `<circle class="end" cx="${middle}" cy="${y + 14}" r="7"/>`,
      );
      text('about', middle + 20, y + 18, formatStateName(path));
      continue;
    }
    const kind = tags.includes('agent') ? 'box' : 'box wait';
    parts.push(
      `<rect class="${kind}" x="${leftMargin}" y="${y}" width="${BOX.width}" height="${BOX.height}" rx="8"/>`,
    );
    text(
      'name',
      leftMargin + 14,
      y + 25,
      shorten(tags.includes('checkpoint') ? `${path} ✓` : path, 40),
    );
    text(
      'about',
      leftMargin + 14,
      y + 46,
      shorten(description ?? '', Math.floor((BOX.width - 28) / CHAR)),
    );
  }
  for (const { from, to, labels: words } of straight) {
    const [top, bottom] = [toTop(getRow(from)) + BOX.height, toTop(getRow(to))];
    parts.push(
      renderArrowLine('way', `M${middle} ${top} V${bottom}`),
      renderArrowHead('head', middle, bottom, 'down'),
    );
    text('label', middle + 10, (top + bottom) / 2 + 4, shorten(words.join(', '), MAX_LABEL));
  }
  for (const { arrow, from, to, lane } of down) {
    const x = leftMargin + BOX.width + (lane + 1) * LANE;
    const end =
      chart.states[to]?.type === 'final'
        ? { x: middle + 12, y: toTop(to) + 14 }
        : { x: leftMargin + BOX.width, y: toTop(to) + 20 };
    const start = toTop(from) + BOX.height - 16;
    parts.push(
      renderArrowLine(
        'way',
        `M${leftMargin + BOX.width} ${start} H${x - 8} Q${x} ${start} ${x} ${start + 8} V${end.y - 8} Q${x} ${end.y} ${x - 8} ${end.y} H${end.x}`,
      ),
      renderArrowHead('head', end.x, end.y, 'left'),
    );
    text('label', x + 6, start + 24, arrow.labels.join(', '));
  }
  for (const { arrow, from, to, lane } of back) {
    const x = leftMargin - (lane + 1) * LANE;
    const [start, end] = [toTop(from) + BOX.height - 14, toTop(to) + 16];
    parts.push(
      renderArrowLine(
        'way back',
        `M${leftMargin} ${start} H${x + 8} Q${x} ${start} ${x} ${start - 8} V${end + 8} Q${x} ${end} ${x + 8} ${end} H${leftMargin}`,
      ),
      renderArrowHead('head back', leftMargin, end, 'right'),
    );
    text('label back', x - 6, (start + end) / 2 + 4, arrow.labels.join(', '), 'end');
  }
  const size = `width="${Math.round(width)}" height="${Math.round(height)}" viewBox="0 0 ${Math.round(width)} ${Math.round(height)}"`;
  const paper = `<rect class="paper" width="100%" height="100%"/>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} role="img">\n<title>${escapeSvgText(title)}</title>\n${STYLE}\n${paper}\n${[...parts, ...labels].join('\n')}\n</svg>\n`;
}

const renderArrowLine = (kind: string, path: string): string =>
  `<path class="${kind}" d="${path}"/>`;

function renderArrowHead(
  kind: string,
  x: number,
  y: number,
  direction: 'down' | 'left' | 'right',
): string {
  const points = { down: [-5, -9, 5, -9], left: [9, -5, 9, 5], right: [-9, -5, -9, 5] }[direction];
  const [ax = 0, ay = 0, bx = 0, by = 0] = points;
  return `<path class="${kind}" d="M${x} ${y} L${x + ax} ${y + ay} L${x + bx} ${y + by} Z"/>`;
}
