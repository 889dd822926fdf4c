import type { TriggerRule } from '../../contract/schema/forge/trigger.ts';
import type { DeliveredEvent } from '../../contract/forge/deliveredEvent.ts';

const toLowerTexts = (texts: readonly string[]): string[] =>
  texts.map((text) => text.toLowerCase());

/** Whether any of these is asked for; a list without entries asks for nothing in particular. */
const includesAnyAsked = (
  requestedNames: readonly string[],
  foundNames: readonly string[],
): boolean =>
  requestedNames.length === 0 ||
  toLowerTexts(foundNames).some((text) => toLowerTexts(requestedNames).includes(text));

export function isAbout(
  rule: TriggerRule,
  plugin: string,
  { event, repo, labels, newLabels, title, text }: DeliveredEvent,
): boolean {
  const present = event.endsWith('.labeled') ? newLabels : labels;
  return (
    rule.enabled &&
    rule.plugin === plugin &&
    rule.events.includes(event) &&
    includesAnyAsked(rule.repos, [repo]) &&
    includesAnyAsked(rule.labels, present) &&
    `${title}\n${text}`.toLowerCase().includes(rule.text.toLowerCase())
  );
}

/**
 * Why its author may not create a job; null = they may. Users are identified only by names that no
 * one else can take.
 */
export function explainAuthorFault(
  { authors }: TriggerRule,
  { author, identities, bot, member }: DeliveredEvent,
  own: boolean,
): string | null {
  const who = author === '' ? 'the author' : author;
  if (own) return 'svc did it itself';
  const wantedAuthors = toLowerTexts(authors.map((name) => name.replace(/^@/, '')));
  if (toLowerTexts(identities).some((name) => wantedAuthors.includes(name))) return null;
  if (bot) return `${who} is a program, and is not among the rule's authors`;
  if (wantedAuthors.includes('*')) return null;
  if (wantedAuthors.length > 0)
    return `${who} (${identities.join(', ') || 'without an id'}) is not among the rule's authors`;
  if (member === null)
    return `the delivery does not say whether ${who} is a project member: list the authors in the rule`;
  return member ? null : `${who} is not a member`;
}
