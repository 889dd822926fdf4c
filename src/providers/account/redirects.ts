import { SvcError } from '../../base/errors/errors.ts';

/** Statuses that ask for the same request, with the same method and body, at another address. */
const ELSEWHERE = new Set([301, 302, 307, 308]);
/** A read also follows "see other". */
const READ_ELSEWHERE = new Set([...ELSEWHERE, 303]);

/** Whether an answer redirects the request instead of carrying it out. */
export const isRedirect = (status: number): boolean =>
  status > 300 && status < 400 && status !== 304;

/** The address in the JSON that GitHub sends with a redirect: `{ message, url }`. */
function readRedirectUrl(text: string): string | null {
  try {
    const { url } = Object(JSON.parse(text));
    return typeof url === 'string' ? url : null;
  } catch {
    return null;
  }
}

/**
 * The address at which to repeat the request; null = the answer is not a redirect, or leads to another
 * server, which must not get the token.
 */
export function resolveRedirect(
  { status, headers, text }: { status: number; headers: Headers; text: string },
  request: { url: string; isRead: boolean },
): string | null {
  if (!(request.isRead ? READ_ELSEWHERE : ELSEWHERE).has(status)) return null;
  const location = headers.get('location') ?? readRedirectUrl(text);
  if (location === null || !URL.canParse(location, request.url)) return null;
  const to = new URL(location, request.url);
  return to.origin === new URL(request.url).origin ? to.href : null;
}

/**
 * The error of a redirect that svc does not follow. Nothing was done. `what`: what was asked for.
 */
export const createRedirectError = (host: string, status: number, what = 'the request'): SvcError =>
  new SvcError(
    'config-invalid',
    `${host} refuses ${what}: it redirects (${status}) to another server, a second time, or to a login page, which svc does not follow. Use the current name of the repository, and check the server's address in the configuration of the plugin.`,
    { data: { status } },
  );
