import type { Step } from '../../demo/model/script.ts';

const PARTS = 12;
const paragraph = (n: number) =>
  `Paragraph ${n} with *some* words and \`code\` in it, long enough to fill a line or two.`;
const lines = (length: number, line: (n: number) => string) =>
  Array.from({ length }, (_, n) => line(n));

export const LAST_PART = `Part ${PARTS - 1}`;

/** An answer of about 40 KB with paragraphs, lists and code, in pieces of four characters. */
export const LONG_ANSWER: Step = {
  pieceChars: 4,
  say: lines(PARTS, (part) =>
    [
      `## Part ${part}`,
      ...lines(16, paragraph),
      lines(40, (n) => `- item ${n} of *a* list`).join('\n'),
      `\`\`\`ts\n${lines(60, (n) => `const value${n} = ${n};`).join('\n')}\n\`\`\``,
    ].join('\n\n'),
  ).join('\n\n'),
};
