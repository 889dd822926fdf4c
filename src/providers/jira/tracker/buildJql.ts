/**
 * A text within quotes of JQL. Control characters mean nothing in a search, and Jira refuses some.
 */
const quoteJql = (text: string): string =>
  `"${text.replace(/[\p{Cc}]+/gu, ' ').replace(/[\\"]/g, '\\$&')}"`;

/**
 * What the text search of Jira gives a meaning of their own; a ticket is looked for as it is
 * written.
 */
const OPERATORS = /[+\-&|!(){}[\]^~*?\\:/]/g;

export const KEY = /^[A-Za-z][A-Za-z0-9_]{1,29}-[1-9]\d{0,9}$/;

/** Whether a search looks for one issue by its key. */
export const isIssueKey = (text: string): boolean => KEY.test(text.trim());

/**
 * JQL for a text; an empty one means what changed in the last 90 days. Jira Cloud refuses a query
 * without any bound.
 */
export function buildJql(text: string): string {
  const words = text.replace(OPERATORS, ' ').replace(/\s+/g, ' ').trim();
  if (isIssueKey(text)) return `key = ${quoteJql(text.trim().toUpperCase())}`;
  return `${words === '' ? 'updated >= -90d' : `text ~ ${quoteJql(words)}`} ORDER BY updated DESC`;
}
