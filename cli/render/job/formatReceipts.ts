import { joinIntoOneLine, shorten } from '../../../src/base/text/clip.ts';
import type { MessageOffer, MessageReceipt } from '../../../src/contract/schema/session/message.ts';
import type { Io } from '../../io.ts';
import { toPrintableLine } from '../text/toPrintable.ts';
import { renderTable } from '../text/renderTable.ts';
import { formatTimeWithAgo } from '../text/formatTimeWithAgo.ts';

const TEXT_CHARS = 60;

const WAYS: Readonly<Record<MessageOffer['how'], string>> = {
  kickoff: 'with the kickoff',
  folded: 'within the turn',
  'next-turn': 'as the next turn',
  interrupt: 'after an interrupt',
};

const describeOffer = ({ phase, visit, session, how, interrupted }: MessageOffer): string => {
  const where = `${phase ?? 'visit'} ${visit}.${session} ${WAYS[how]}`;
  return interrupted === null ? where : `${where} of ${toPrintableLine(interrupted)}`;
};

const shortenMessage = (text: string): string => {
  const line = toPrintableLine(joinIntoOneLine(text));
  return shorten(line, TEXT_CHARS);
};

export function formatReceipts(
  messages: readonly MessageReceipt[],
  io: Pick<Io, 'color' | 'columns' | 'now'>,
): string {
  if (messages.length === 0) return 'No messages have been sent to this job.\n';
  const now = io.now();
  const rows = messages.map(({ id, state, since, offers, supersededBy, text }) => [
    id,
    state,
    formatTimeWithAgo(since, now),
    supersededBy === null
      ? offers.map(describeOffer).join('; ') || '-'
      : `replaced by ${supersededBy}`,
    shortenMessage(text),
  ]);
  return renderTable(['MESSAGE', 'STATE', 'SINCE', 'GIVEN TO', 'TEXT'], rows, io);
}
