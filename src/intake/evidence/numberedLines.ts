/** Lines of a file with their numbers, as the model sees them. */
export const numberLines = (lines: readonly string[], from: number): string =>
  lines.map((line, index) => `${from + index}\t${line}`).join('\n');

export function parseNumberedLines(text: string): Map<number, string> {
  const lines = new Map<number, string>();
  for (const line of text.split('\n')) {
    const [, number] = /^(\d+)\t/.exec(line) ?? [];
    if (number !== undefined) lines.set(Number(number), line);
  }
  return lines;
}
