import { readAtPath, readTextAt } from '../../../base/json/untrusted.ts';
import type { Node } from './adfNode.ts';

const measureLongestRun = (text: string): number =>
  Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));

export const createFence = (text: string): string =>
  '`'.repeat(Math.max(2, measureLongestRun(text)) + 1);

export function formatInlineCode(text: string): string {
  const ticks = '`'.repeat(measureLongestRun(text) + 1);
  return text.includes('`') ? `${ticks} ${text} ${ticks}` : `${ticks}${text}${ticks}`;
}

/** Marks that markdown has, outermost last. */
const MARKS: readonly (readonly [string, string])[] = [
  ['strike', '~~'],
  ['em', '_'],
  ['strong', '**'],
];

/** The marks that markdown has; texts with equal ones are one run. */
function readAdfMarks({ marks }: Node): { names: readonly string[]; href: string } {
  const names = marks.map((mark) => readTextAt(mark, 'type'));
  const link = marks.find((mark) => readTextAt(mark, 'type') === 'link');
  return {
    names: ['code', ...MARKS.map(([name]) => name)].filter((name) => names.includes(name)),
    href: readTextAt(readAtPath(link, 'attrs'), 'href'),
  };
}

function renderMarkedRun(text: string, { names, href }: ReturnType<typeof readAdfMarks>): string {
  // A mark must not begin or end with a space, so spaces stay outside.
  const inside = text.trim();
  if (inside === '') return text;
  let marked = names.includes('code') ? formatInlineCode(inside) : inside;
  for (const [name, sign] of MARKS) if (names.includes(name)) marked = `${sign}${marked}${sign}`;
  if (href !== '' && href !== inside) marked = `[${marked}](${href})`;
  const begin = text.indexOf(inside);
  return `${text.slice(0, begin)}${marked}${text.slice(begin + inside.length)}`;
}

/** Renders neighbouring texts. Equal marks are set once, as `**ab**` and not `**a****b**`. */
export function renderMarkedTexts(nodes: readonly Node[]): string {
  const runs: { text: string; marks: ReturnType<typeof readAdfMarks> }[] = [];
  for (const node of nodes) {
    const marks = readAdfMarks(node);
    const last = runs.at(-1);
    if (last && JSON.stringify(last.marks) === JSON.stringify(marks)) last.text += node.text;
    else runs.push({ text: node.text, marks });
  }
  return runs.map(({ text, marks }) => renderMarkedRun(text, marks)).join('');
}
