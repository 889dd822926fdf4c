import { splitBlocks } from '../../shared/agents/hiddenBlocks.ts';
import { clip } from '../../shared/text/clip.ts';
import { findReferences } from '../citations/findReferences.ts';
import { type History, openTurns, type SettledTurn } from './settledTurn.ts';

/** Of a message, and of an answer, that is kept, characters. */
const MESSAGE_CHARS = 400;
const ANSWER_CHARS = 800;
/** Cited places of one turn that are kept. */
const MAX_PLACES = 20;
const HEADING = 'Summary of earlier turns, shortened to make room:';

const collapseSpace = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** One turn in a few lines: what was asked, how the answer begins, which places it cites. */
function summariseTurn({ n, message, answer }: SettledTurn): string {
  const { visible } = splitBlocks(answer);
  const places = findReferences(answer).slice(0, MAX_PLACES);
  const lines = [
    `Turn ${n}. The developer: ${clip(collapseSpace(message), MESSAGE_CHARS)}`,
    `You: ${clip(collapseSpace(visible), ANSWER_CHARS)}`,
  ];
  if (places.length > 0) lines.push(`Places: ${places.map(({ ref }) => ref).join(', ')}`);
  return lines.join('\n');
}

/**
 * The history with its turns up to `foldedTo` as a summary of at most `maxChars`, from which the
 * oldest turns go first. By code, not by a model: it costs nothing, is the same each time, and
 * invents nothing.
 */
export function foldIntoSummary(history: History, foldedTo: number, maxChars: number): History {
  const gone = openTurns(history).filter(({ n }) => n <= foldedTo);
  if (gone.length === 0) return history;
  const before = history.summary === null ? [] : history.summary.split('\n\n').slice(1);
  const parts = [...before, ...gone.map(summariseTurn)];
  while (parts.length > 1 && parts.join('\n\n').length > maxChars) parts.shift();
  return { ...history, foldedTo, summary: [HEADING, ...parts].join('\n\n') };
}
