/** Longest line of a name in a box, characters. */
const LINE_CHARS = 30;

/**
 * A long name on several lines, broken after `-`, `_`, `.` or a space where that is possible: a box
 * as wide as its name would not fit beside the others.
 */
export function wrapName(name: string, chars = LINE_CHARS): string[] {
  const lines: string[] = [];
  let line = '';
  for (const part of name.split(/(?<=[-_. ])/)) {
    if (line !== '' && line.length + part.length > chars) {
      lines.push(line);
      line = '';
    }
    line += part;
    while (line.length > chars) {
      lines.push(line.slice(0, chars));
      line = line.slice(chars);
    }
  }
  return line === '' && lines.length > 0 ? lines : [...lines, line];
}
