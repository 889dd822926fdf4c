import type { AuthoredEvent } from '../../contract/forge/forge.ts';
import type { WakeRules } from '../../contract/forge/hook.ts';

const parseLogins = (text: string): string[] =>
  text
    .split(',')
    .map((login) => login.trim().replace(/^@/, '').toLowerCase())
    .filter((login) => login !== '');

/**
 * `wakeAuthors`: logins separated by commas, `*` = everybody, empty = members. `ignoreAuthors`:
 * logins.
 */
export function parseWakeRules(wakeAuthors: string, ignoreAuthors: string): WakeRules {
  const logins = parseLogins(wakeAuthors);
  const who = logins.includes('*')
    ? 'everybody'
    : logins.length === 0
      ? 'members'
      : new Set(logins);
  return { who, never: new Set(parseLogins(ignoreAuthors)) };
}

/**
 * Why an event does not reach a job: svc did it itself; a program did it; `ignoreAuthors` names the
 * author; `wakeAuthors` names others; the author is not a member.
 */
type UnheardReason = 'own' | 'program' | 'ignored' | 'not-named' | 'not-member';

export const isStateKind = (kind: string): boolean =>
  kind === 'merged' || kind === 'closed' || kind === 'reopened';

/**
 * Why an event does not reach a job; null = it does. Nothing that svc or a program did reaches a
 * job, but merges, closings and reopenings always do, no matter who did them, since they change what can
 * be done.
 */
export function findUnheardReason(
  { event, own, bot, member, identities }: AuthoredEvent,
  { who, never }: WakeRules,
): UnheardReason | null {
  if (isStateKind(event.kind)) return null;
  const author = event.author.toLowerCase();
  const names = identities?.map((name) => name.toLowerCase()) ?? [author];
  if (own) return 'own';
  if (bot) return 'program';
  if ([author, ...names].some((name) => never.has(name))) return 'ignored';
  if (event.kind.startsWith('check_') || event.kind === 'conflict') return null;
  if (who === 'everybody') return null;
  if (who === 'members') return member ? null : 'not-member';
  return names.some((name) => who.has(name)) ? null : 'not-named';
}

export const mayWake = (one: AuthoredEvent, rules: WakeRules): boolean =>
  findUnheardReason(one, rules) === null;

/**
 * As `mayWake` on the local forge, where every author is a person of this machine or a job. A job
 * acts there under its own name: it does not hear of what it did itself, and other jobs count as
 * colleagues.
 */
export const mayWakeLocally = (event: AuthoredEvent['event'], rules: WakeRules): boolean =>
  mayWake({ event, own: false, bot: false, member: true }, rules);
