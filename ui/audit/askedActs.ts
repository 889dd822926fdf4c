import type { AuditLogQuery } from '../../src/contract/schema/runner/audit.ts';
import { AUDIT_PAGE, type AuditFilter, parseAuditFilter, toAuditStart } from './auditFilter.ts';

/** What the address of the page asks for. */
export interface AskedActs extends AuditFilter {
  /** Entries that are skipped, the newest first. */
  offset: number;
}

/** Reads the part of an address after `?`. What means nothing is left out. */
export function parseAskedActs(query: Readonly<Record<string, string>>): AskedActs {
  const { offset = '' } = query;
  return { ...parseAuditFilter(query), offset: /^\d{1,9}$/.test(offset) ? Number(offset) : 0 };
}

export const toActsQuery = ({ person, action, since, offset }: AskedActs): AuditLogQuery => ({
  limit: AUDIT_PAGE,
  ...(offset === 0 ? {} : { offset }),
  ...(person === '' ? {} : { person }),
  ...(action === '' ? {} : { action }),
  ...(since === '' ? {} : { since: toAuditStart(since) }),
});
