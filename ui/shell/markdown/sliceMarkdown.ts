/** Characters after which a slice ends at the next heading or paragraph. */
const SLICE_CHARS = 2_000;
/** Characters after which a slice ends at the next line, whatever it is. */
const MAX_SLICE_CHARS = 6_000;
/** Most characters of link definitions that are known to every slice. */
const MAX_DEFINITION_CHARS = 4_000;

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const DEFINITION = /^ {0,3}\[[^\]\n]{1,200}\]:[ \t]*\S[^\n]{0,500}$/gm;
/** A line that begins a block by itself: it continues no list, no quote, no table. */
const BLOCK_START = /^(?:#{1,6}[ \t]|[^\s>|\-*+\d])/;

/** The code fence that is open after a line; null = none. */
function trackFence(open: string | null, line: string): string | null {
  const mark = FENCE.exec(line)?.[1];
  if (mark === undefined) return open;
  if (open === null) return mark;
  const closes = mark[0] === open[0] && mark.length >= open.length && line.trim() === mark;
  return closes ? null : open;
}

/**
 * Markdown in pieces that can be rendered on their own, so that a long text takes many short tasks
 * instead of a long one. Pieces end before headings and paragraphs where possible. A fence that is
 * cut is closed, and opened again in the next piece; link definitions are known to each piece.
 */
export function sliceMarkdown(text: string): string[] {
  const slices: string[] = [];
  let lines: string[] = [];
  let chars = 0;
  let fence: string | null = null;
  let fenceLine = '';
  let afterBlank = false;

  const cut = () => {
    slices.push([...lines, ...(fence === null ? [] : [fence])].join('\n'));
    lines = fence === null ? [] : [fenceLine];
    chars = 0;
  };
  for (const line of text.split(/\r\n|\r|\n/)) {
    const atBlock = fence === null && afterBlank && BLOCK_START.test(line);
    if (lines.length > 0 && (chars >= MAX_SLICE_CHARS || (chars >= SLICE_CHARS && atBlock))) cut();
    const before = fence;
    fence = trackFence(fence, line);
    if (before === null && fence !== null) fenceLine = line;
    lines.push(line);
    chars += line.length + 1;
    afterBlank = line.trim() === '';
  }
  if (lines.length > 0) slices.push(lines.join('\n'));
  if (slices.length === 1) return slices;
  const definitions = collectDefinitions(text);
  return definitions === '' ? slices : slices.map((slice) => `${slice}\n\n${definitions}`);
}

function collectDefinitions(text: string): string {
  const slices: string[] = [];
  let chars = 0;
  for (const [line] of text.matchAll(DEFINITION)) {
    chars += line.length + 1;
    if (chars > MAX_DEFINITION_CHARS) break;
    slices.push(line);
  }
  return slices.join('\n');
}
