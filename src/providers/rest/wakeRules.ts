import type { AuthoredEvent } from '../../contract/forge.ts';
import type { WakeRules } from '../../contract/wakeRules.ts';

const logins = (text: string): string[] =>
  text
    .split(',')
    .map((login) => login.trim().replace(/^@/, '').toLowerCase())
    .filter((login) => login !== '');

/**
 * `wakeAuthors`: logins separated by commas, `*` = everybody, empty = members. `ignoreAuthors`:
 * logins.
 */
export function wakeRules(wakeAuthors: string, ignoreAuthors: string): WakeRules {
  const named = logins(wakeAuthors);
  const who = named.includes('*') ? 'everybody' : named.length === 0 ? 'members' : new Set(named);
  return { who, never: new Set(logins(ignoreAuthors)) };
}

/**
 * Whether a job hears of it. Never of what svc did itself, nor of programs; always of a merge or a
 * close, which change what can be done, regardless of who did them.
 */
export function mayWake(
  { event, own, bot, member, identities }: AuthoredEvent,
  { who, never }: WakeRules,
): boolean {
  if (event.kind === 'merged' || event.kind === 'closed') return true;
  const author = event.author.toLowerCase();
  const names = identities?.map((name) => name.toLowerCase()) ?? [author];
  if (own || bot || [author, ...names].some((name) => never.has(name))) return false;
  if (event.kind.startsWith('check_') || event.kind === 'conflict') return true;
  return who === 'everybody' || (who === 'members' ? member : names.some((name) => who.has(name)));
}

/**
 * The same on the local forge, where every author is a person of this machine or a job. A job acts
 * there under its own name: it is not notified of what it did itself, and another job counts as a
 * colleague.
 */
export const mayWakeLocally = (event: AuthoredEvent['event'], rules: WakeRules): boolean =>
  mayWake({ event, own: false, bot: false, member: true }, rules);
