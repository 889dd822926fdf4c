import { toIsoTime, toIsoTimeOrNull } from '../../base/time/toIsoTime.ts';
import type { SessionKey } from '../../contract/session/sessionRef.ts';
import type { Tables } from '../../contract/records/tables.ts';
import type {
  MessageOffer,
  MessageReceipt,
  MessageState,
} from '../../contract/schema/session/message.ts';
import { DEFAULT_MESSAGES, type MessagesQuery } from '../../contract/schema/api/queries.ts';
import type { SessionContinuation } from '../../../machines/index.ts';
import type { RowReader } from '../../contract/records/rowReader.ts';
import { type InboxItemRow, isInboxItemOpen } from './jobRows.ts';

type OfferRow = Tables['message_offers'];

export const findMessageItem = (
  rows: RowReader,
  jobId: string,
  id: string,
): InboxItemRow | undefined => rows.one('inbox_items', { job_id: jobId, id, kind: 'message' });

/** Number of the newest run of a session that was given a message; 0 = none. */
export const findLastAttempt = (rows: RowReader, { jobId, visit, session }: SessionKey): number =>
  Math.max(
    0,
    ...rows.all('message_offers', { job_id: jobId, visit, session }).map(({ attempt }) => attempt),
  );

/**
 * Messages that a session still has to get, or got without success, and those that agents of this
 * visit have read.
 */
export interface VisitMessages {
  open: InboxItemRow[];
  /** Read in this visit, by an earlier session or run. */
  read: InboxItemRow[];
  /**
   * It is unknown whether an open message arrived that was given to an earlier run of this session,
   * or to a dead session that it continues.
   */
  uncertain: boolean;
  /**
   * Ids of open ones that are in the conversation of continued sessions, though the model has not
   * begun its answer.
   */
  had: ReadonlySet<string>;
}

interface Asking extends SessionKey {
  continued?: Pick<SessionContinuation, 'first' | 'why'> | undefined;
}

/** `after`: open ones up to this number are left out, since they are given in another way. */
export function readVisitMessages(
  rows: RowReader,
  { jobId, visit, session, continued }: Asking,
  after: number,
): VisitMessages {
  const items = rows.all('inbox_items', { job_id: jobId, kind: 'message' }, { order: 'n' });
  const offers = rows.all('message_offers', { job_id: jobId, visit });
  // A quota ends a session properly: messages delivered before are part of the conversation.
  const since = continued?.why === 'died' ? continued.first : session;
  const earlier = offers.filter(
    (offer) => offer.session >= (continued?.first ?? session) && offer.session < session,
  );
  const deliveredIds = new Set(
    earlier.filter(({ delivered_at }) => delivered_at !== null).map(({ id }) => id),
  );
  return {
    open: items.filter((item) => item.n > after && isInboxItemOpen(item)),
    read: items.filter(
      (item) => item.acknowledged_at !== null && offers.some(({ id }) => id === item.id),
    ),
    uncertain: items.some(
      (item) =>
        isInboxItemOpen(item) &&
        offers.some((offer) => offer.id === item.id && offer.session >= since),
    ),
    had: new Set(
      items
        .filter((item) => isInboxItemOpen(item) && deliveredIds.has(item.id))
        .map(({ id }) => id),
    ),
  };
}

/** The part of the job's current state that its receipts depend on. */
export interface MessageStanding {
  /** The running session; null = none. */
  live: Pick<SessionKey, 'visit' | 'session'> | null;
  /** When the job ended for good; null = it has not, or can be resumed. */
  endedAt: number | null;
  findPhase(visit: number): string | null;
}

const toMessageOffer = (row: OfferRow, { findPhase }: MessageStanding): MessageOffer => ({
  phase: findPhase(row.visit),
  visit: row.visit,
  session: row.session,
  attempt: row.attempt,
  how: row.how,
  interrupted: row.interrupted,
  offeredAt: toIsoTime(row.at),
  deliveredAt: toIsoTimeOrNull(row.delivered_at),
  acknowledgedAt: toIsoTimeOrNull(row.acknowledged_at),
});

/** The state of a message, and since when (epoch ms). */
function deriveMessageState(
  item: InboxItemRow,
  offers: readonly OfferRow[],
  { live, endedAt }: MessageStanding,
  by: InboxItemRow | undefined,
): { state: MessageState; since: number } {
  if (item.superseded_by !== null) return { state: 'superseded', since: by?.at ?? item.at };
  if (item.acknowledged_at !== null) return { state: 'acknowledged', since: item.acknowledged_at };
  if (endedAt !== null) return { state: 'expired', since: endedAt };
  const last = offers.at(-1);
  // A session that has ended no longer counts: the message waits for the next one.
  if (last === undefined || last.visit !== live?.visit || last.session !== live.session) {
    return { state: 'queued', since: item.at };
  }
  return last.delivered_at === null
    ? { state: 'offered', since: last.at }
    : { state: 'delivered', since: last.delivered_at };
}

/** The receipts of a page of a job's messages, oldest first; pages lead from the newest back. */
export function listMessageReceipts(
  rows: RowReader,
  jobId: string,
  standing: MessageStanding,
  { id, limit = DEFAULT_MESSAGES, offset = 0 }: MessagesQuery = {},
): { messages: MessageReceipt[]; total: number } {
  const where = { job_id: jobId, kind: 'message', ...(id === undefined ? {} : { id }) } as const;
  const items = rows.all('inbox_items', where, { order: 'n', desc: true, limit, offset }).reverse();
  const messages = items.map((item) => toMessageReceipt(rows, jobId, item, standing));
  return { messages, total: rows.count('inbox_items', where) };
}

function toMessageReceipt(
  rows: RowReader,
  jobId: string,
  item: InboxItemRow,
  standing: MessageStanding,
): MessageReceipt {
  const offers = rows.all(
    'message_offers',
    { job_id: jobId, id: item.id },
    { order: ['at', 'visit', 'session', 'attempt'] },
  );
  const by =
    item.superseded_by === null ? undefined : findMessageItem(rows, jobId, item.superseded_by);
  const { state, since } = deriveMessageState(item, offers, standing, by);
  return {
    id: item.id,
    at: toIsoTime(item.at),
    author: item.author,
    text: item.text,
    state,
    since: toIsoTime(since),
    supersededBy: item.superseded_by,
    offers: offers.map((offer) => toMessageOffer(offer, standing)),
  };
}
