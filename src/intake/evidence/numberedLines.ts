/** Lines of a file with their numbers in front, as the model is shown them. */
export const numberLines = (lines: readonly string[], from: number): string =>
  lines.map((line, index) => `${from + index}\t${line}`).join('\n');

/** The lines of such a text by number. */
export function parseNumberedLines(text: string): Map<number, string> {
  const lines = new Map<number, string>();
  for (const line of text.split('\n')) {
    const [, number] = /^(\d+)\t/.exec(line) ?? [];
    if (number !== undefined) lines.set(Number(number), line);
  }
  return lines;
}
