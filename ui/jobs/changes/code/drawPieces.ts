import type { LinePiece } from './splitLinePieces.ts';

/** Nodes that no line shows now, to be used again; more than these are left to the browser. */
const MOST_SPARE = 2_000;
const spareTexts: Text[] = [];
const spareSpans: HTMLSpanElement[] = [];

const HIDDEN_TITLE = 'A character that is invisible or changes the order of others';

const isPlainPiece = ({ kind, marked, hidden }: LinePiece): boolean =>
  kind === null && !marked && !hidden;

function recycleNode(node: ChildNode): void {
  node.remove();
  if (node instanceof Text && spareTexts.length < MOST_SPARE) spareTexts.push(node);
  if (node instanceof HTMLSpanElement && spareSpans.length < MOST_SPARE) spareSpans.push(node);
}

function createTextSpan(): HTMLSpanElement {
  const span = document.createElement('span');
  span.append('');
  return span;
}

const takePieceNode = (piece: LinePiece): Text | HTMLSpanElement =>
  isPlainPiece(piece)
    ? (spareTexts.pop() ?? document.createTextNode(''))
    : (spareSpans.pop() ?? createTextSpan());

function fillPieceNode(node: ChildNode, { text, kind, marked, hidden }: LinePiece): void {
  if (node instanceof Text) {
    if (node.data !== text) node.data = text;
    return;
  }
  if (!(node instanceof HTMLSpanElement)) return;
  const child = node.firstChild;
  if (child instanceof Text && child.data !== text) child.data = text;
  const classes = [
    kind === null ? '' : `code-${kind}`,
    marked ? 'marked' : '',
    hidden ? 'hidden-character' : '',
  ]
    .filter((one) => one !== '')
    .join(' ');
  if (node.className !== classes) node.className = classes;
  const title = hidden ? HIDDEN_TITLE : '';
  if (node.title !== title) node.title = title;
}

/**
 * Shows the pieces of a line in an element that holds nothing else. Its nodes are used again, and so
 * are those of lines that were longer: while a diff is scrolled, lines change many times a second.
 */
export function drawPieces(line: HTMLElement, pieces: readonly LinePiece[]): void {
  for (const [at, piece] of pieces.entries()) {
    let node = line.childNodes[at];
    if (node === undefined || node instanceof Text !== isPlainPiece(piece)) {
      const next = takePieceNode(piece);
      line.insertBefore(next, node ?? null);
      if (node !== undefined) recycleNode(node);
      node = next;
    }
    fillPieceNode(node, piece);
  }
  for (;;) {
    const last = line.lastChild;
    if (!last || line.childNodes.length <= pieces.length) return;
    recycleNode(last);
  }
}
