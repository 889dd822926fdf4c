/** Entries of a page of an audit log. */
export const AUDIT_PAGE = 50;

/** Which entries of an audit log a page shows; empty = all. */
export interface AuditFilter {
  /** Name of a person; in a team also the ID. */
  person: string;
  action: string;
  /** A day such as 2026-11-30, which begins by this browser's clock. */
  since: string;
}

const parseDay = (text: string): string =>
  /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(`${text}T00:00`)) ? text : '';

/** Reads the part of an address after `?`. What means nothing is left out. */
export const parseAuditFilter = (query: Readonly<Record<string, string>>): AuditFilter => ({
  person: (query['person'] ?? '').trim(),
  action: (query['action'] ?? '').trim(),
  since: parseDay(query['since'] ?? ''),
});

export const hasAuditFilter = ({ person, action, since }: AuditFilter): boolean =>
  `${person}${action}${since}` !== '';

/** When the day of a filter begins. */
export const toAuditStart = (day: string): string => new Date(`${day}T00:00`).toISOString();
