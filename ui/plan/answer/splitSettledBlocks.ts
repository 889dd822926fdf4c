import { lexBoundedBlocks } from '../../shell/markdown/boundedLexer.ts';

/** Blocks at the end of a text that may still become something else: a list may get items. */
const OPEN_BLOCKS = 2;

const OPENING = /^ {0,3}(`{3,}|~{3,})([^\n]*)\n/;

/** A text that grows, cut where its first part will not change any more. */
export interface SettledText {
  blocks: string[];
  tail: string;
}

/** Blocks of a text that is not over. Line ends are `\n`. */
export function splitSettledBlocks(text: string): SettledText {
  const raws = lexBoundedBlocks(text).map(({ raw }) => raw);
  // An open fence takes everything up to the end, so what is before it is settled.
  const open = findOpenFence(raws.at(-1) ?? '') === null ? OPEN_BLOCKS : 1;
  const blocks = raws.slice(0, -open);
  const settled = blocks.reduce((length, raw) => length + raw.length, 0);
  // If the lexer has changed the text, its blocks cannot be cut out.
  if (!text.startsWith(blocks.join(''))) return { blocks: [], tail: text };
  return { blocks, tail: text.slice(settled) };
}

/**
 * The first blocks of a long text: about `characters`, or more if the first block is longer. A
 * shorter text is returned unchanged.
 */
export function takeFirstBlocks(text: string, characters: number): SettledText {
  for (let size = characters; size < text.length; size *= 2) {
    const { blocks, tail } = splitSettledBlocks(text.slice(0, size));
    if (blocks.length > 0) return { blocks, tail: tail + text.slice(size) };
  }
  return { blocks: [], tail: text };
}

export const listAnswerBlocks = (text: string): string[] =>
  lexBoundedBlocks(text).map(({ raw }) => raw);

/** The code of a fence that is open at the end of a text which begins with it; null = none is. */
export function findOpenFence(text: string): { language: string; code: string } | null {
  const [opening, marks = '', language = ''] = OPENING.exec(text) ?? [];
  if (opening === undefined) return null;
  const code = text.slice(opening.length);
  const mark = marks.charAt(0);
  const closing = new RegExp(`^ {0,3}${mark}{${marks.length},}[ \\t]*$`, 'm');
  return closing.test(code) ? null : { language: language.trim(), code };
}
