import type { DiffFile, DiffLine } from '../diff/diffFile.ts';
import { highlight } from './highlighter.ts';
import { languageOf } from './languages.ts';
import type { Token } from './tokens.ts';

/** Characters of a file's changes above which it stays without colours. */
const MOST_CHARS = 512 * 1024;
/** Lines that are longer stay empty for the highlighter, characters. */
const LONGEST_LINE = 2_000;

/** A text of consecutive lines: one hunk, before or after the change. */
interface Side {
  lines: DiffLine[];
  text: string;
}

function sides(file: DiffFile): Side[] {
  const found: Side[] = [];
  let before: DiffLine[] = [];
  let after: DiffLine[] = [];
  const add = (lines: DiffLine[]) => {
    const text = lines.map((line) => (line.text.length > LONGEST_LINE ? '' : line.text)).join('\n');
    if (lines.length > 0) found.push({ lines, text });
  };
  // The side after the change comes last, so that it gives lines of both sides their colours.
  const end = () => {
    add(before);
    add(after);
    before = [];
    after = [];
  };
  for (const line of file.lines) {
    if (line.kind === 'hunk') end();
    else {
      if (line.kind !== 'added') before.push(line);
      if (line.kind !== 'removed') after.push(line);
    }
  }
  end();
  return found;
}

const known = new WeakMap<DiffFile, Promise<Map<DiffLine, Token[]>>>();

/** The tokens of the lines of a file; empty where its language is not known or it is too long. */
export function tokensOfFile(file: DiffFile): Promise<Map<DiffLine, Token[]>> {
  const tokens = known.get(file) ?? findTokens(file);
  known.set(file, tokens);
  return tokens;
}

async function findTokens(file: DiffFile): Promise<Map<DiffLine, Token[]>> {
  const language = languageOf(file.path);
  const found = new Map<DiffLine, Token[]>();
  if (language === null) return found;
  const all = sides(file);
  if (all.reduce((sum, { text }) => sum + text.length, 0) > MOST_CHARS) return found;
  const tokens = await highlight(
    language,
    all.map(({ text }) => text),
  );
  for (const [index, lines] of tokens.entries())
    for (const [at, line] of lines.entries()) {
      const of = all[index]?.lines[at];
      if (of) found.set(of, line);
    }
  return found;
}
