import { joinIntoOneLine } from '../../shared/text/joinIntoOneLine.ts';
import { computeEvidenceBudget, foldEvidence } from '../evidence/budget.ts';
import {
  buildChatEntries,
  countHistoryChars,
  openTurns,
  type History,
  type SettledTurn,
} from './settledTurn.ts';
import { splitBlocks } from '../../shared/agents/hiddenBlocks.ts';
import { clip } from '../../shared/text/clip.ts';
import { findReferences } from '../citations/findReferences.ts';

/** Of a message, and of an answer, that is kept, characters. */
const MESSAGE_CHARS = 400;
const ANSWER_CHARS = 800;
/** Cited places of one turn that are kept. */
const MAX_PLACES = 20;
const HEADING = 'Summary of earlier turns, shortened to make room:';

/** One turn in a few lines: what was asked, how the answer begins, which places it cites. */
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
 * The history with its turns up to `foldedTo` as a summary of at most `maxChars`, from which the
 * oldest turns go first. By code, not by a model: it costs nothing, is the same each time, and
 * invents nothing.
 */
function foldIntoSummary(history: History, foldedTo: number, maxChars: number): History {
  const gone = openTurns(history).filter(({ n }) => n <= foldedTo);
  if (gone.length === 0) return history;
  const before = history.summary === null ? [] : history.summary.split('\n\n').slice(1);
  const parts = [...before, ...gone.map(summariseTurn)];
  while (parts.length > 1 && parts.join('\n\n').length > maxChars) parts.shift();
  return { ...history, foldedTo, summary: [HEADING, ...parts].join('\n\n') };
}

/** Share of the window from which on a turn begins with a fold, and down to which. */
const FOLD_FROM = 0.6;
const FOLD_TO = 0.4;
/** Share of the window that the summary of folded turns may fill, and most characters of it. */
const SUMMARY_SHARE = 0.1;
const SUMMARY_CHARS = 24_000;
/** Newest turns that are never folded. */
const KEPT_TURNS = 4;
/** A fold of a full window that frees less than this share of the request was of no use. */
const LEAST_FREED = 0.1;

export interface Room {
  /** The window of the model, tokens. */
  windowTokens: number;
  /** What the endpoint has counted; 0.3 until it has. */
  tokensPerChar: number;
  /** Characters of each request beside the history: prompt, tools, message. */
  beside: number;
  /** Evidence that the findings cite: folded last. */
  cited: ReadonlySet<string>;
}

export interface Fold {
  history: History;
  /** Share of the request that was freed; 0 = nothing was folded. */
  freed: number;
  /** The window was full, and what is left to fold is too little to continue like this. */
  isForLittle: boolean;
}

/** The oldest turns as a summary, as few as it takes. */
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
 * Makes a conversation fit before a turn: evidence over its own bound folds always; from 60 % of
 * the window on, evidence and then the oldest turns fold until 40 % are filled. Findings,
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
  const freed = 1 - (countHistoryChars(shorter) + beside) / before;
  return { history: shorter, freed, isForLittle: isFull && freed < LEAST_FREED };
}
