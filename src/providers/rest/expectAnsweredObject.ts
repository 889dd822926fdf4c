import { isJsonObject } from '../../base/json/isJsonObject.ts';
import { htmlToPlainText, isHtmlPage } from '../../base/text/htmlToPlainText.ts';
import { createUnreadError, type RestServer } from './refusal.ts';

const DIFF_START = /^\s*diff --/;

/**
 * A diff by git, maybe empty. Throws SvcError `unreachable` for everything else, such as a login
 * page.
 */
export function expectDiff(
  server: Pick<RestServer, 'host'>,
  what: string,
  answer: { text: unknown; contentType: string | null; status: number },
): string {
  const { text, contentType, status } = answer;
  const isPage = /^\s*text\/html\b/i.test(contentType ?? '');
  if (typeof text === 'string' && !isPage && (text.trim() === '' || DIFF_START.test(text)))
    return text;
  throw createUnreadError(server, what, `${describeBody(text)} instead of a diff`, status);
}

export function describeBody(body: unknown): string {
  if (body === null || body === undefined || body === '') return 'nothing';
  if (Array.isArray(body)) return 'a list';
  if (typeof body === 'string') return isHtmlPage(body) ? htmlToPlainText(body) : 'a text';
  return typeof body === 'object' ? 'an object' : `a ${typeof body}`;
}

/**
 * The body of an answer that must be an object. Throws SvcError `unreachable` that says what came
 * instead.
 */
export function expectAnsweredObject<T>(
  server: Pick<RestServer, 'host'>,
  what: string,
  body: T,
  status = 200,
): NonNullable<T> {
  if (isJsonObject(body)) return body as NonNullable<T>;
  throw createUnreadError(server, what, `${describeBody(body)} instead of an object`, status);
}
