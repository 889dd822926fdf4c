import { findHiddenCharacters } from '../diff/hiddenCharacters.ts';
import type { CharacterRange } from '../diff/markChangedWords.ts';
import type { Token, TokenKind } from './tokens.ts';

export interface LinePiece {
  text: string;
  kind: TokenKind | null;
  /** It differs between the line before and after its change. */
  marked: boolean;
  /** The name of a character that a person would not see, in its place. */
  hidden: boolean;
}

interface TokenizedLine {
  text: string;
  tokens: readonly Token[];
  marks: readonly CharacterRange[];
}

/** The places where something begins or ends. */
function listCutPlaces(
  { text, tokens, marks }: TokenizedLine,
  hiddenRanges: readonly CharacterRange[],
): number[] {
  const all = new Set([0, text.length]);
  for (const { from, to } of [...tokens, ...marks, ...hiddenRanges]) {
    if (from < text.length) all.add(from);
    if (to < text.length) all.add(to);
  }
  return [...all].sort((one, other) => one - other);
}

/** A line in pieces, which put together show all of it. */
export function splitLinePieces(line: TokenizedLine): LinePiece[] {
  const { text, tokens, marks } = line;
  const hiddenCharacters = findHiddenCharacters(text);
  const places = listCutPlaces(line, hiddenCharacters);
  const pieces: LinePiece[] = [];
  let token = 0;
  let mark = 0;
  let unseen = 0;
  for (let index = 0; index + 1 < places.length; index++) {
    const from = places[index] ?? 0;
    const to = places[index + 1] ?? from;
    while ((tokens[token]?.to ?? Infinity) <= from) token++;
    while ((marks[mark]?.to ?? Infinity) <= from) mark++;
    const kind = (tokens[token]?.from ?? Infinity) <= from ? (tokens[token]?.kind ?? null) : null;
    const isMarked = (marks[mark]?.from ?? Infinity) <= from;
    while ((hiddenCharacters[unseen]?.to ?? Infinity) <= from) unseen++;
    const name =
      (hiddenCharacters[unseen]?.from ?? Infinity) <= from
        ? hiddenCharacters[unseen]?.name
        : undefined;
    // A name is shown once, even where its character of two units is cut.
    if (name !== undefined && hiddenCharacters[unseen]?.from !== from) continue;
    pieces.push({
      text: name ?? text.slice(from, to),
      kind,
      marked: isMarked,
      hidden: name !== undefined,
    });
  }
  return pieces;
}
