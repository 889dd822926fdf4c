import { updatePushRecord } from '../../notifications/pushRecord.ts';
import { remember, readRemembered } from '../remember.ts';

/** Name of the stored page key; only pages of this origin, port included, can read it. */
const NAME = 'login';

/** Second value of this browser's login; null = none. */
export const readPageKey = (): string | null => readRemembered(NAME);

function rememberPageKey(pageKey: string | null): void {
  remember(NAME, pageKey);
  // A browser that stores nothing for its worker still logs in.
  updatePushRecord(pageKey).catch(() => undefined);
}

/** Forgets the login here: the runner has ended it. */
export const forgetLogin = (): void => rememberPageKey(null);

/** Takes the page key out of the address that a login link has led to, `#login=<key>`. */
export function takeLogin(): void {
  const key = /^#login=([\w-]+)$/.exec(location.hash)?.[1];
  if (key === undefined) return;
  rememberPageKey(key);
  history.replaceState(null, '', `${location.pathname}#/`);
}

/** The code in a link that `svc open` has printed, or in a part of it; null = none. */
export const parseLoginCode = (text: string): string | null =>
  /(?:^|\/login\/)([\w-]{20,})\/?$/.exec(text.trim())?.[1] ?? null;

/** Logs this page in by a link's code. False = the link was used already or is too old. */
export async function logIn(code: string): Promise<boolean> {
  const response = await fetch(`/login/${code}`, { headers: { Accept: 'application/json' } });
  if (!response.ok) return false;
  const reply: { pageKey: string } = await response.json();
  rememberPageKey(reply.pageKey);
  return true;
}

/** Calls back when another tab of this browser was logged in. */
export const watchLoginElsewhere = (loggedIn: () => void): void =>
  window.addEventListener('storage', ({ key, newValue }) => {
    if (key === `svc.${NAME}` && newValue !== null) loggedIn();
  });
