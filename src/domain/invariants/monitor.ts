import type { Clause, Rule } from './invariant.ts';

/**
 * What a rule has to remember of all that has happened: one bit for each clause of a condition, the
 * number of visits, or nothing. The proof over a workflow and the running job step it with the same
 * function.
 */
export type Monitor = number;

/** Before anything has happened. */
export const NOTHING_HAPPENED: Monitor = 0;

const clausesOf = (rule: Rule): Clause[] => ('never' in rule ? rule.unless.flat() : []);

/** The monitor once this fact has happened. */
export function stepMonitor(rule: Rule, before: Monitor, fact: string): Monitor {
  if ('visits' in rule)
    return fact === `phase(${rule.visits})` ? Math.min(before + 1, rule.atMost) : before;
  let bits = before;
  clausesOf(rule).forEach((clause, index) => {
    if (clause.since === fact) bits &= ~(1 << index);
    if (clause.fact === fact) bits |= 1 << index;
  });
  return bits;
}

/** Whether a clause is true; `index`: its number among all clauses of its rule. */
const holds = ({ not }: Clause, monitor: Monitor, index: number): boolean =>
  ((monitor >> index) & 1) === (not ? 0 : 1);

/** Whether the rule says anything about this act: `phase(<name>)`, `tool(<name>)`, or one of ACTS. */
export function concerns(rule: Rule, act: string): boolean {
  if ('visits' in rule) return act === `phase(${rule.visits})`;
  if ('tool' in rule) return act === `tool(${rule.tool})`;
  return act === rule.never;
}

/** Whether the rule lets this act happen now, in this phase. */
export function allows(rule: Rule, monitor: Monitor, act: string, phase: string): boolean {
  if (!concerns(rule, act)) return true;
  if ('visits' in rule) return monitor < rule.atMost;
  if ('tool' in rule) return rule.onlyIn.includes(phase);
  let index = 0;
  return rule.unless.some((all) => {
    const first = index;
    index += all.length;
    return all.every((clause, offset) => holds(clause, monitor, first + offset));
  });
}

/** What is not true yet of the list that lacks least, for a sentence that says what is to be done. */
export function missingFor(rule: Rule, monitor: Monitor): Clause[] {
  if (!('never' in rule)) return [];
  let index = 0;
  const lacks = rule.unless.map((all) => {
    const first = index;
    index += all.length;
    return all.filter((clause, offset) => !holds(clause, monitor, first + offset));
  });
  return lacks.toSorted((a, b) => a.length - b.length)[0] ?? [];
}
