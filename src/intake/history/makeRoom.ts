import { joinIntoOneLine, clip } from '../../base/text/clip.ts';
import {
  buildChatEntries,
  countHistoryChars,
  openTurns,
  type History,
  type SettledTurn,
} from './settledTurn.ts';
import { splitBlocks } from '../../base/agents/hiddenBlocks.ts';
import { findReferences } from '../citations/findReferences.ts';
import { foldBlocks, openBlocks } from '../evidence/evidenceItem.ts';

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
  citedIds: ReadonlySet<string>,
  maxChars: number,
): (string | null)[] {
  const blocks = replays.flatMap((replay) => openBlocks(replay ?? ''));
  let chars = blocks.reduce((sum, block) => sum + block.chars, 0);
  if (chars <= maxChars) return [...replays];
  const remainingChars = maxChars * LEFT;
  const order = [
    ...blocks.filter(({ id }) => !citedIds.has(id)),
    ...blocks.filter(({ id }) => citedIds.has(id)),
  ];
  const folded = new Set<string>();
  for (const block of order) {
    if (chars <= remainingChars) break;
    folded.add(block.id);
    chars -= block.chars;
  }
  return replays.map((replay) => (replay === null ? null : foldBlocks(replay, folded)));
}

/** Kept characters of a message and of an answer. */
const MESSAGE_CHARS = 400;
const ANSWER_CHARS = 800;
const MAX_PLACES = 20;
const HEADING = 'Summary of earlier turns, shortened to make room:';

/** A turn in a few lines: the question, the beginning of the answer, the cited places. */
function summariseTurn({ n, message, answer }: SettledTurn): string {
  const { visible } = splitBlocks(answer);
  const places = findReferences(answer).slice(0, MAX_PLACES);
  const lines = [
    `Turn ${n}. The developer: ${clip(joinIntoOneLine(message), MESSAGE_CHARS)}`,
    `You: ${clip(joinIntoOneLine(visible), ANSWER_CHARS)}`,
  ];
  if (places.length > 0) lines.push(`Places: ${places.map(({ ref }) => ref).join(', ')}`);
  return lines.join('\n');
}

/**
 * The history with turns up to `foldedTo` as a summary of at most `maxChars`; the oldest turns are
 * dropped first. Made by code instead of a model: free, repeatable, and without inventions.
 */
function foldIntoSummary(history: History, foldedTo: number, maxChars: number): History {
  const foldedTurns = openTurns(history).filter(({ n }) => n <= foldedTo);
  if (foldedTurns.length === 0) return history;
  const before = history.summary === null ? [] : history.summary.split('\n\n').slice(1);
  const parts = [...before, ...foldedTurns.map(summariseTurn)];
  while (parts.length > 1 && parts.join('\n\n').length > maxChars) parts.shift();
  return { ...history, foldedTo, summary: [HEADING, ...parts].join('\n\n') };
}

/** Share of the window at which a turn begins with a fold, and the share after it. */
const FOLD_FROM = 0.6;
const FOLD_TO = 0.4;
/** Share of the window for the summary of folded turns, and its most characters. */
const SUMMARY_SHARE = 0.1;
const SUMMARY_CHARS = 24_000;
/** Newest turns that are never folded. */
const KEPT_TURNS = 4;
/** A fold of a full window that frees a smaller share of the request was useless. */
const LEAST_FREED = 0.1;

export interface Room {
  /** The model's window, tokens. */
  windowTokens: number;
  /** Measured by the endpoint; 0.3 until then. */
  tokensPerChar: number;
  /** Characters of each request besides the history: prompt, tools, message. */
  beside: number;
  /** Evidence that the findings cite; folded last. */
  cited: ReadonlySet<string>;
}

export interface Fold {
  history: History;
  /** Freed share of the request; 0 = nothing was folded. */
  freed: number;
  /** The window was full, and too little is left to fold. */
  isForLittle: boolean;
}

/** Summarises as few of the oldest turns as necessary. */
function foldOldestTurns(history: History, maxChars: number, summaryChars: number): History {
  let shorter = history;
  while (countHistoryChars(shorter) > maxChars) {
    const [oldest, ...rest] = openTurns(shorter);
    if (oldest === undefined || rest.length < KEPT_TURNS) break;
    shorter = foldIntoSummary(shorter, oldest.n, summaryChars);
  }
  return shorter;
}

/**
 * Makes a conversation fit before a turn. Evidence over its own limit is always folded; from 60 %
 * of the window on, evidence and then the oldest turns are folded down to 40 %. Findings,
 * readiness, open questions and the newest four turns stay.
 */
export function makeRoom(history: History, room: Room): Fold {
  const { windowTokens, tokensPerChar, beside, cited } = room;
  const before = countHistoryChars(history) + beside;
  const withEvidence = (maxChars: number): History => {
    const open = openTurns(history);
    const replays = foldEvidence(
      open.map(({ replay }) => replay),
      cited,
      Math.max(0, maxChars),
    );
    const folded = new Map(open.map((turn, index) => [turn.n, replays[index] ?? null]));
    const turns = history.turns.map((turn) => ({
      ...turn,
      replay: folded.get(turn.n) ?? turn.replay,
    }));
    return { ...history, turns };
  };
  const bound = computeEvidenceBudget(windowTokens, tokensPerChar);
  let shorter = withEvidence(bound);
  const isFull = before * tokensPerChar >= windowTokens * FOLD_FROM;
  if (isFull) {
    const target = Math.floor((windowTokens * FOLD_TO) / tokensPerChar) - beside;
    const evidence = buildChatEntries(shorter).reduce(
      (sum, { text }) => sum + (text.includes('<evidence ') ? text.length : 0),
      0,
    );
    shorter = withEvidence(Math.min(bound, evidence - (countHistoryChars(shorter) - target)));
    const summaryChars = (windowTokens * SUMMARY_SHARE) / tokensPerChar;
    shorter = foldOldestTurns(shorter, target, Math.min(SUMMARY_CHARS, summaryChars));
  }
  const freedShare = 1 - (countHistoryChars(shorter) + beside) / before;
  return { history: shorter, freed: freedShare, isForLittle: isFull && freedShare < LEAST_FREED };
}
