import type { ProposalWarningKind } from '../../../base/agents/proposals.ts';

/** A warning before it has its id. */
export type FoundWarning = [kind: ProposalWarningKind, says: string];

/** Names in a list, or in a text such as `Read, Bash(git *)` in skills. */
const parseToolNames = (value: unknown): string[] | null => {
  if (typeof value === 'string')
    return value.split(/[\s,]+(?![^(]*\))/).filter((tool) => tool !== '');
  return Array.isArray(value) ? value.map(String) : null;
};

/** Tools that are worth a look even if the whole list is new. */
const GRAVE = /merge|approve|\*|^(?:shell|bash|write|edit)\b/i;

/** Tools that a list allows and an earlier one did not; no list allows all. */
export function findWiderTools(
  where: string,
  before: unknown,
  after: unknown,
  isNew: boolean,
): FoundWarning[] {
  const [from, to] = [parseToolNames(before), parseToolNames(after)];
  if (to === null)
    return from === null && !isNew ? [] : [['widens', `${where} may use every tool`]];
  if (from === null && !isNew) return [];
  const more = to.filter((tool) => !(from ?? []).includes(tool));
  const grave = isNew ? more.filter((tool) => GRAVE.test(tool)) : more;
  return grave.length === 0 ? [] : [['widens', `${where} may also use ${grave.join(', ')}`]];
}
