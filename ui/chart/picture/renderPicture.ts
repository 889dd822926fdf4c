import type { Drawing, DrawnBox, DrawnEdge, DrawnWay } from './drawing.ts';
import {
  FINAL,
  formatBundle,
  MARK,
  PAD_X,
  PAD_Y,
  TITLE_LINE,
  WAY_PAD_X,
  WAY_PAD_Y,
} from './graphSizes.ts';
import { FONTS, LINE } from './textWidth.ts';

const SANS = "Inter, 'Segoe UI', Helvetica, Arial, sans-serif";
const MONO = "ui-monospace, 'SF Mono', Menlo, Consolas, monospace";

/** Distance from the top of a line to the bottom of its letters, pixels. */
const BASELINE = { title: 14, line: 11.5, bundle: 13.5 };

const fonts = Object.entries(FONTS)
  .map(([role, { weight, px, mono }]) => `.${role}{font:${weight} ${px}px ${mono ? MONO : SANS}}`)
  .join('\n');

/** A picture alone has no theme around it: it follows the colours that its viewer prefers. */
const STYLE = `
${fonts}
text{fill:#1a1d24}
.note,.tag,.guard{fill:#5b6271}
.failed{fill:#b3261e}
.effect{fill:#14653a}
.target{fill:#3550c8}
.ground{fill:#fff}
.box{fill:#fff;stroke:#868d9b;stroke-width:1.25}
.group .box,.region .box{stroke:#e4e6eb;stroke-width:1.5}
.odd .box{fill:#f5f6f8}
.region .box{stroke:#868d9b;stroke-dasharray:6 4}
.mark{fill:#1a1d24}
.tag-ground{fill:#f5f6f8;stroke:#e4e6eb}
.line{fill:none;stroke:#868d9b;stroke-width:1.4}
.bundle .line{stroke-dasharray:1 5;stroke-linecap:round;stroke-width:2.2}
.head{fill:#868d9b}
.way-ground{fill:#fff;stroke:#e4e6eb}
@media (prefers-color-scheme:dark){
text{fill:#e9ebf0}
.failed{fill:#ff9a92}
.note,.tag,.guard{fill:#9da4b2}
.effect{fill:#6bd39c}
.target{fill:#9db0ff}
.ground{fill:#111318}
.box,.way-ground{fill:#171a20}
.box{stroke:#6f7684}
.group .box,.way-ground{stroke:#272b34}
.odd .box,.tag-ground{fill:#0c0d10}
.region .box{stroke:#6f7684}
.mark{fill:#e9ebf0}
.tag-ground{stroke:#272b34}
.line{stroke:#6f7684}
.head{fill:#6f7684}
}
`;

const escapeXml = (text: string): string =>
  text.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`);

/** Attributes, numbers with at most one digit behind the point. */
const formatAttributes = (attributes: Readonly<Record<string, string | number>>): string =>
  Object.entries(attributes)
    .map(([name, value]) => {
      const text = typeof value === 'number' ? `${Math.round(value * 10) / 10}` : escapeXml(value);
      return ` ${name}="${text}"`;
    })
    .join('');

const renderElement = (
  name: string,
  attributes: Readonly<Record<string, string | number>>,
  inner = '',
): string => `<${name}${formatAttributes(attributes)}>${inner}</${name}>`;

const renderText = (kind: string, x: number, y: number, text: string, anchor = 'start'): string =>
  renderElement('text', { class: kind, x, y, 'text-anchor': anchor }, escapeXml(text));

function renderMark({ x, y, width, node }: DrawnBox): string {
  if (node.kind === 'start')
    return renderElement('circle', {
      class: 'mark',
      cx: x + MARK / 2,
      cy: y + MARK / 2,
      r: MARK / 2,
    });
  const middle = { cx: x + width / 2, cy: y + FINAL / 2 };
  const inner =
    node.kind === 'final'
      ? renderElement('circle', { class: 'mark', ...middle, r: FINAL / 2 - 5.5 })
      : renderText('tag', middle.cx, middle.cy + 4, 'H', 'middle');
  return [
    renderElement('circle', { class: 'box', ...middle, r: FINAL / 2 - 1 }),
    inner,
    renderText('title', middle.cx, y + FINAL + BASELINE.title + 2, node.title, 'middle'),
  ].join('');
}

function renderBox({ x, y, width, height, node, tags }: DrawnBox): string {
  const rows = node.rows.map((row, index) =>
    renderText(
      row.role,
      x + PAD_X,
      y + PAD_Y + TITLE_LINE + index * LINE + BASELINE.line,
      row.text,
    ),
  );
  const marks = tags.map(({ text, ...rect }) => {
    const ground = renderElement('rect', { class: 'tag-ground', ...rect, rx: rect.height / 2 });
    return `${ground}${renderText('tag', rect.x + rect.width / 2, rect.y + BASELINE.line, text, 'middle')}`;
  });
  return [
    renderElement('rect', {
      class: 'box',
      x,
      y,
      width,
      height,
      rx: node.kind === 'state' ? 9 : 12,
    }),
    renderText('title', x + PAD_X, y + PAD_Y + BASELINE.title, node.title),
    ...marks,
    ...rows,
  ].join('');
}

const isMark = ({ node }: DrawnBox): boolean =>
  node.kind === 'start' || node.kind === 'final' || node.kind === 'history';

const renderNode = (box: DrawnBox): string =>
  renderElement(
    'g',
    { class: `${box.node.kind}${box.depth % 2 === 1 ? ' odd' : ''}`, 'data-state': box.node.id },
    isMark(box) ? renderMark(box) : renderBox(box),
  );

function renderEdge({ edge, path, head, bundle }: DrawnEdge): string {
  const label = bundle
    ? renderElement('rect', { class: 'way-ground', ...bundle, rx: bundle.height / 2 }) +
      renderText(
        'tag',
        bundle.x + bundle.width / 2,
        bundle.y + BASELINE.bundle,
        formatBundle(edge),
        'middle',
      )
    : '';
  return renderElement(
    'g',
    { class: edge.bundle.length > 0 ? 'bundle' : 'edge' },
    renderElement('path', { class: 'line', d: path }) +
      renderElement('path', { class: 'head', d: head }) +
      label,
  );
}

function renderWay({ lines, ...rect }: DrawnWay): string {
  const { x, y, width, height } = rect;
  const texts = lines.map((line, index) =>
    renderElement(
      'text',
      { x: x + WAY_PAD_X, y: y + WAY_PAD_Y + index * LINE + BASELINE.line },
      line
        .map(({ role, text }) => renderElement('tspan', { class: role }, escapeXml(`${text} `)))
        .join(''),
    ),
  );
  return (
    renderElement('rect', { class: 'way-ground', x, y, width, height, rx: 6 }) + texts.join('')
  );
}

/** A drawing as an SVG file of its own, with its colours and fonts. */
export function renderPicture({ width, height, boxes, edges }: Drawing, title: string): string {
  const parts = [
    renderElement('title', {}, escapeXml(title)),
    renderElement('style', {}, STYLE),
    renderElement('rect', { class: 'ground', width, height }),
    ...boxes.map(renderNode),
    ...edges.map(renderEdge),
    ...[...boxes, ...edges].flatMap(({ ways }) => ways).map(renderWay),
  ];
  const size = { width, height, viewBox: `0 0 ${Math.ceil(width)} ${Math.ceil(height)}` };
  return `${renderElement('svg', { xmlns: 'http://www.w3.org/2000/svg', ...size }, `\n${parts.join('\n')}\n`)}\n`;
}
