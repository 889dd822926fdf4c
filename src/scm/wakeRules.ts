import type { PrNews } from './forge.ts';

/** Whose doings may wake and steer a job. Logins, lower case. */
export interface WakeRules {
  /** `members` = those who may write to the repository; `everybody`; or these alone. */
  who: 'members' | 'everybody' | ReadonlySet<string>;
  /** Never, whoever they are. */
  never: ReadonlySet<string>;
}

const logins = (text: string): string[] =>
  text
    .split(',')
    .map((login) => login.trim().replace(/^@/, '').toLowerCase())
    .filter((login) => login !== '');

/** `wakeAuthors`: logins separated by commas, `*` = everybody, empty = members. `ignoreAuthors`: logins. */
export function wakeRules(wakeAuthors: string, ignoreAuthors: string): WakeRules {
  const named = logins(wakeAuthors);
  const who = named.includes('*') ? 'everybody' : named.length === 0 ? 'members' : new Set(named);
  return { who, never: new Set(logins(ignoreAuthors)) };
}

/**
 * Whether a job hears of it. Never of what svc did itself, nor of programs; always of a merge or a close, which change what can
 * be done, whoever did them.
 */
export function mayWake({ event, own, bot, member }: PrNews, { who, never }: WakeRules): boolean {
  if (event.kind === 'merged' || event.kind === 'closed') return true;
  const author = event.author.toLowerCase();
  if (own || bot || never.has(author)) return false;
  if (event.kind.startsWith('check_') || event.kind === 'conflict') return true;
  return who === 'everybody' || (who === 'members' ? member : who.has(author));
}
