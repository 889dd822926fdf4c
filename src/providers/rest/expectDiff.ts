import { describeBody } from './expectAnsweredObject.ts';
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
