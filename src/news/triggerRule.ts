import type { TriggerRule } from '../schema/trigger.ts';
import type { HookEvent } from '../contract/hookEvent.ts';

const lower = (texts: readonly string[]): string[] => texts.map((text) => text.toLowerCase());

/** Whether any of these is asked for; a list without entries asks for nothing in particular. */
const oneOf = (asked: readonly string[], found: readonly string[]): boolean =>
  asked.length === 0 || lower(found).some((text) => lower(asked).includes(text));

/** Whether the rule applies to an event, regardless of its author. */
export function isAbout(
  rule: TriggerRule,
  plugin: string,
  { event, repo, labels, newLabels, title, text }: HookEvent,
): boolean {
  const present = event.endsWith('.labeled') ? newLabels : labels;
  return (
    rule.enabled &&
    rule.plugin === plugin &&
    rule.events.includes(event) &&
    oneOf(rule.repos, [repo]) &&
    oneOf(rule.labels, present) &&
    `${title}\n${text}`.toLowerCase().includes(rule.text.toLowerCase())
  );
}

/**
 * Why its author may not create a job; null = they may. Users are identified only by names that no
 * one else can take.
 */
export function authorFault(
  { authors }: TriggerRule,
  { author, identities, bot, member }: HookEvent,
  own: boolean,
): string | null {
  const who = author === '' ? 'the author' : author;
  if (own) return 'svc did it itself';
  const wanted = lower(authors.map((name) => name.replace(/^@/, '')));
  if (lower(identities).some((name) => wanted.includes(name))) return null;
  if (bot) return `${who} is a program, and is not among the rule's authors`;
  if (wanted.includes('*')) return null;
  if (wanted.length > 0)
    return `${who} (${identities.join(', ') || 'without an id'}) is not among the rule's authors`;
  if (member === null)
    return `the delivery does not say whether ${who} belongs to the project: name the authors in the rule`;
  return member ? null : `${who} is no member`;
}
