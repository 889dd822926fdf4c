import type { Clause, Rule } from './invariant.ts';

/**
 * What a rule has to remember of all that has happened: one bit for each clause of a condition, the
 * number of visits, or nothing. The proof over a workflow and the running job step it with the same
 * function.
 */
export type Monitor = number;

export const NOTHING_HAPPENED: Monitor = 0;

interface CompiledRule {
  act: string;
  clauses: readonly Clause[];
  facts: ReadonlySet<string>;
}

/** Each rule is compiled once: a proof evaluates it a hundred thousand times. */
const compiledRules = new WeakMap<Rule, CompiledRule>();

function compileRule(rule: Rule): CompiledRule {
  const before = compiledRules.get(rule);
  if (before) return before;
  const clauses = 'never' in rule ? rule.unless.flat() : [];
  const act =
    'visits' in rule ? `phase(${rule.visits})` : 'tool' in rule ? `tool(${rule.tool})` : rule.never;
  const words = clauses.flatMap(({ fact, since = fact }) => [fact, since]);
  const now = { act, clauses, facts: new Set('visits' in rule ? [act] : words) };
  compiledRules.set(rule, now);
  return now;
}

/** The monitor after this fact. */
export function advanceMonitor(rule: Rule, before: Monitor, fact: string): Monitor {
  const { clauses, facts } = compileRule(rule);
  if (!facts.has(fact)) return before;
  if ('visits' in rule) return Math.min(before + 1, rule.atMost);
  let bits = before;
  clauses.forEach((clause, index) => {
    if (clause.since === fact) bits &= ~(1 << index);
    if (clause.fact === fact) bits |= 1 << index;
  });
  return bits;
}

/** Whether a clause is true; `index`: its number among all clauses of its rule. */
const isClauseTrue = ({ not }: Clause, monitor: Monitor, index: number): boolean =>
  ((monitor >> index) & 1) === (not ? 0 : 1);

/** Whether the rule says anything about this act: `phase(<name>)`, `tool(<name>)`, or one of ACTS. */
export const concernsAct = (rule: Rule, act: string): boolean => compileRule(rule).act === act;

/** Whether the rule allows this act now, in this phase. */
export function allowsAct(rule: Rule, monitor: Monitor, act: string, phase: string): boolean {
  if (!concernsAct(rule, act)) return true;
  if ('visits' in rule) return monitor < rule.atMost;
  if ('tool' in rule) return rule.onlyIn.includes(phase);
  let index = 0;
  return rule.unless.some((all) => {
    const first = index;
    index += all.length;
    return all.every((clause, offset) => isClauseTrue(clause, monitor, first + offset));
  });
}

/**
 * The clauses that are missing in the list that lacks least, for a sentence that says what to do.
 */
export function listMissingClauses(rule: Rule, monitor: Monitor): Clause[] {
  if (!('never' in rule)) return [];
  let index = 0;
  const lacks = rule.unless.map((all) => {
    const first = index;
    index += all.length;
    return all.filter((clause, offset) => !isClauseTrue(clause, monitor, first + offset));
  });
  return lacks.toSorted((a, b) => a.length - b.length)[0] ?? [];
}
