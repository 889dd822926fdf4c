import { shorten } from '../../src/domain/clip.ts';
import type { MessageOffer, MessageReceipt } from '../../src/schema/message.ts';
import type { Io } from '../io.ts';
import { printableLine } from './printable.ts';
import { table } from './table.ts';
import { when } from './when.ts';

/** Longest part of a message in a table, characters. */
const TEXT_CHARS = 60;

const WAYS: Readonly<Record<MessageOffer['how'], string>> = {
  kickoff: 'with the kickoff',
  folded: 'within the turn',
  'next-turn': 'as the next turn',
  interrupt: 'after an interrupt',
};

const offerText = ({ phase, visit, session, how, interrupted }: MessageOffer): string => {
  const where = `${phase ?? 'visit'} ${visit}.${session} ${WAYS[how]}`;
  return interrupted === null ? where : `${where} of ${printableLine(interrupted)}`;
};

const short = (text: string): string => {
  const line = printableLine(text.replace(/\s+/g, ' ').trim());
  return shorten(line, TEXT_CHARS);
};

/** Messages with their receipts, a line each. */
export function receiptsText(
  messages: readonly MessageReceipt[],
  io: Pick<Io, 'color' | 'columns' | 'now'>,
): string {
  if (messages.length === 0) return 'No messages have been sent to this job.\n';
  const now = io.now();
  const rows = messages.map(({ id, state, since, offers, supersededBy, text }) => [
    id,
    state,
    when(since, now),
    supersededBy === null ? offers.map(offerText).join('; ') || '-' : `replaced by ${supersededBy}`,
    short(text),
  ]);
  return table(['MESSAGE', 'STATE', 'SINCE', 'GIVEN TO', 'TEXT'], rows, io);
}
