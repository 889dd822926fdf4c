import type { DiffFile, DiffLine } from '../diff/diffFile.ts';
import { requestHighlight } from './highlighter.ts';
import { detectLanguage } from './languages.ts';
import type { Token } from './tokens.ts';

/** Characters of a file's changes above which it stays without colours. */
const MOST_CHARS = 512 * 1024;
/** Lines that are longer stay empty for the highlighter, characters. */
const LONGEST_LINE = 2_000;

/** A text of consecutive lines: one hunk, before or after the change. */
interface FileSide {
  lines: DiffLine[];
  text: string;
}

function splitFileSides(file: DiffFile): FileSide[] {
  const fileSides: FileSide[] = [];
  let before: DiffLine[] = [];
  let after: DiffLine[] = [];
  const add = (lines: DiffLine[]) => {
    const text = lines.map((line) => (line.text.length > LONGEST_LINE ? '' : line.text)).join('\n');
    if (lines.length > 0) fileSides.push({ lines, text });
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
  return fileSides;
}

const tokensByFile = new WeakMap<DiffFile, Promise<Map<DiffLine, Token[]>>>();

/** The tokens of the lines of a file; empty where its language is not known or it is too long. */
export function readFileTokens(file: DiffFile): Promise<Map<DiffLine, Token[]>> {
  const tokens = tokensByFile.get(file) ?? highlightFile(file);
  tokensByFile.set(file, tokens);
  return tokens;
}

async function highlightFile(file: DiffFile): Promise<Map<DiffLine, Token[]>> {
  const language = detectLanguage(file.path);
  const tokensByLine = new Map<DiffLine, Token[]>();
  if (language === null) return tokensByLine;
  const all = splitFileSides(file);
  if (all.reduce((sum, { text }) => sum + text.length, 0) > MOST_CHARS) return tokensByLine;
  const tokens = await requestHighlight(
    language,
    all.map(({ text }) => text),
  );
  for (const [index, lines] of tokens.entries())
    for (const [at, line] of lines.entries()) {
      const of = all[index]?.lines[at];
      if (of) tokensByLine.set(of, line);
    }
  return tokensByLine;
}
