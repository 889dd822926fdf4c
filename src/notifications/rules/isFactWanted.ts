import type { NotificationRule } from '../../contract/schema/runner/notificationSettings.ts';
import type { Fact, FactSubject } from './fact.ts';

/** `*` is any text; everything else counts literally. */
function matchesPattern(text: string, pattern: string): boolean {
  const parts = pattern.split('*').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 's').test(text);
}

const matchesAny = (text: string | null, patterns: readonly string[]): boolean =>
  patterns.length === 0 ||
  (text !== null && patterns.some((pattern) => matchesPattern(text, pattern)));

/** Whether a rule sends a fact to its channel. One without job and schedule passes only a rule that does not choose by them. */
export const isFactWanted = (
  rule: Pick<NotificationRule, 'kinds' | 'repositories' | 'workflows' | 'people'>,
  fact: Pick<Fact, 'kind'>,
  subject: FactSubject | null,
): boolean =>
  rule.kinds.includes(fact.kind) &&
  matchesAny(subject?.repository ?? null, rule.repositories) &&
  matchesAny(subject?.workflow ?? null, rule.workflows) &&
  (rule.people.length === 0 ||
    (subject?.people ?? []).some((person) => matchesAny(person, rule.people)));
