import { foldBlocks, openBlocks } from './evidenceItem.ts';

/** Share of the window that evidence of earlier turns may fill, and its most tokens. */
const SHARE = 0.25;
const MAX_TOKENS = 40_000;

/**
 * Share of the budget that remains after a fold: each fold changes bytes that endpoints have
 * cached, so one makes room for several turns.
 */
const LEFT = 0.6;

/** Most characters of evidence in a request. `tokensPerChar` is measured by the endpoint. */
export const computeEvidenceBudget = (windowTokens: number, tokensPerChar: number): number =>
  Math.floor(Math.min(windowTokens * SHARE, MAX_TOKENS) / tokensPerChar);

/**
 * Folds evidence of earlier turns if it exceeds `maxChars`, oldest first and what the findings cite
 * last, until clearly less is left. Returns the same list if nothing is folded.
 */
export function foldEvidence(
  replays: readonly (string | null)[],
  cited: ReadonlySet<string>,
  maxChars: number,
): (string | null)[] {
  const blocks = replays.flatMap((replay) => openBlocks(replay ?? ''));
  let chars = blocks.reduce((sum, block) => sum + block.chars, 0);
  if (chars <= maxChars) return [...replays];
  const left = maxChars * LEFT;
  const order = [
    ...blocks.filter(({ id }) => !cited.has(id)),
    ...blocks.filter(({ id }) => cited.has(id)),
  ];
  const folded = new Set<string>();
  for (const block of order) {
    if (chars <= left) break;
    folded.add(block.id);
    chars -= block.chars;
  }
  return replays.map((replay) => (replay === null ? null : foldBlocks(replay, folded)));
}
