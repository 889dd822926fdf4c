import type { ChatEntry } from '../../contract/planning/chat.ts';

export interface SettledTurn {
  n: number;
  message: string;
  /** As far as it got; includes hidden blocks. */
  answer: string;
  /** Its evidence for later turns; null = none. */
  replay: string | null;
  /** Interrupted by a person, an error or the end of the runner. */
  broken: boolean;
}

/** The part of a conversation that is sent in later turns. */
export interface History {
  /** Stands for all turns up to and including `foldedTo`; null = none are folded. */
  summary: string | null;
  foldedTo: number;
  turns: readonly SettledTurn[];
}

const BROKEN = '[This answer broke off here.]';

export const openTurns = ({ turns, foldedTo }: History): SettledTurn[] =>
  turns.filter(({ n }) => n > foldedTo);

function toTurnEntries({ message, answer, replay, broken }: SettledTurn): ChatEntry[] {
  const answerParts = [answer.trim(), ...(broken ? [BROKEN] : [])].filter((text) => text !== '');
  const entries: ChatEntry[] = [{ role: 'user', text: message }];
  if (answerParts.length > 0) entries.push({ role: 'assistant', text: answerParts.join('\n\n') });
  if (replay !== null)
    entries.push({ role: 'user', text: `What you looked up in this turn:\n${replay}` });
  return entries;
}

/** A conversation as sent. Equal histories give equal bytes. */
export function buildChatEntries(history: History): ChatEntry[] {
  const { summary } = history;
  const start: ChatEntry[] = summary === null ? [] : [{ role: 'user', text: summary }];
  return [...start, ...openTurns(history).flatMap(toTurnEntries)];
}

export const countHistoryChars = (history: History): number =>
  buildChatEntries(history).reduce((sum, { text }) => sum + text.length, 0);
