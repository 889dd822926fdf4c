/** A part of a comment: text in Markdown, or lines that are to replace those that it is about. */
type CommentPart = { text: string } | { suggestion: string[] };

const OPENING = /^ {0,3}(`{3,}|~{3,})\s*suggestion\s*$/;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;

/** A comment in parts. A suggestion that is never closed is plain text. */
export function splitComment(body: string): CommentPart[] {
  const lines = body.split(/\r?\n/);
  const parts: CommentPart[] = [];
  let text: string[] = [];
  const flush = () => {
    if (text.some((line) => line.trim() !== '')) parts.push({ text: text.join('\n') });
    text = [];
  };
  const findEnd = (mark: string, from: number): number =>
    lines.findIndex(
      (line, at) => at >= from && line.trim().startsWith(mark) && /^[`~]+$/.test(line.trim()),
    );
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? '';
    const mark = (OPENING.exec(line) ?? FENCE.exec(line))?.[1];
    const end = mark === undefined ? -1 : findEnd(mark, at + 1);
    if (mark === undefined || end === -1) text.push(line);
    else if (OPENING.test(line)) {
      flush();
      parts.push({ suggestion: lines.slice(at + 1, end) });
      at = end;
    } else {
      // Another code block: what looks like a suggestion inside it does not count.
      text.push(...lines.slice(at, end + 1));
      at = end;
    }
  }
  flush();
  return parts;
}

export function formatSuggestion(lines: readonly string[]): string {
  const longest = Math.max(2, ...lines.map((line) => /^\s*(`+)/.exec(line)?.[1]?.length ?? 0));
  const fence = '`'.repeat(longest + 1);
  return [`${fence}suggestion`, ...lines, fence, ''].join('\n');
}
