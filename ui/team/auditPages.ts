import type { AuditEntry, AuditPage } from '../../src/contract/schema/cloud/audit.ts';
import {
  AUDIT_PAGE,
  type AuditFilter,
  parseAuditFilter,
  toAuditStart,
} from '../audit/auditFilter.ts';

/** What the address of the page asks for; empty = everything, the newest first. */
export interface AuditQuestion extends AuditFilter {
  /** Number of an entry: the page ends before it. */
  before: number | null;
  /** Number of an entry: the page begins after it. */
  after: number | null;
}

const parseEntryNumber = (text: string | undefined): number | null =>
  text !== undefined && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null;

/** Reads the part of an address after `?`. What means nothing is left out. */
export function parseAuditAsked(query: Readonly<Record<string, string>>): AuditQuestion {
  const after = parseEntryNumber(query['after']);
  return {
    ...parseAuditFilter(query),
    before: after === null ? parseEntryNumber(query['before']) : null,
    after,
  };
}

export const isNewestPage = ({ before, after }: AuditQuestion): boolean =>
  before === null && after === null;

/** The request for a page. It asks for one entry more, which shows whether another page follows. */
export function toAuditRequest({ person, action, since, before, after }: AuditQuestion): string {
  const query = new URLSearchParams({ limit: String(AUDIT_PAGE + 1) });
  if (person !== '') query.set('person', person);
  if (action !== '') query.set('action', action);
  if (since !== '') query.set('since', toAuditStart(since));
  if (before !== null) query.set('before', String(before));
  if (after !== null) query.set('after', String(after));
  return `audit?${query}`;
}

export interface AuditRows {
  /** The newest first. */
  rows: readonly AuditEntry[];
  /** Entries older than the last row exist. */
  hasOlder: boolean;
  hasNewer: boolean;
}

/** What a page shows of the reply to its request. */
export function toAuditRows(
  { entries }: Pick<AuditPage, 'entries'>,
  { before, after }: Pick<AuditQuestion, 'before' | 'after'>,
): AuditRows {
  const hasMore = entries.length > AUDIT_PAGE;
  const isPastEnd = entries.length === 0 && after !== null;
  const keptEntries = after === null ? entries.slice(-AUDIT_PAGE) : entries.slice(0, AUDIT_PAGE);
  return {
    rows: keptEntries.toReversed(),
    hasOlder: after === null ? hasMore : true,
    hasNewer: after === null ? before !== null : hasMore || isPastEnd,
  };
}
