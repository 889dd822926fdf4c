import type { GitNetwork } from './runGit.ts';

const ANSWER_MS = 30_000;
const REFS = '/info/refs';
const MOVED = new Set([301, 302, 307, 308]);

export const isMovedError = (stderr: string): boolean => /returned error: 30[1278]\b/.test(stderr);

/**
 * The address to which the server redirects; null where it names none, or another server. Git
 * itself has no option to follow redirects on the same server only.
 */
export async function findMovedAddress({
  url,
  username,
  password,
}: GitNetwork): Promise<string | null> {
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  const response = await fetch(`${url}${REFS}?service=git-upload-pack`, {
    headers: { authorization, 'user-agent': 'git/svc' },
    redirect: 'manual',
    signal: AbortSignal.timeout(ANSWER_MS),
  });
  await response.body?.cancel();
  const location = MOVED.has(response.status) ? response.headers.get('location') : null;
  if (location === null || !URL.canParse(location, url)) return null;
  const to = new URL(location, url);
  if (to.origin !== new URL(url).origin || to.username !== '' || !to.pathname.endsWith(REFS))
    return null;
  return `${to.origin}${to.pathname.slice(0, -REFS.length)}`;
}
