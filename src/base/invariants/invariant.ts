export const MAX_INVARIANTS = 32;
/** Most facts that the condition of one rule names. */
export const MAX_FACTS = 8;
export const MAX_VISITS = 100;
export const INVARIANT_ID_PATTERN = /^[a-z0-9][a-z0-9-]{0,47}$/;

/**
 * Part of a condition: the fact has happened (with `since`: and the other one not after it).
 * `not`: the opposite.
 */
export interface Clause {
  fact: string;
  since?: string;
  not?: true;
}

/**
 * What a rule forbids. An act is one of {@link ACTS}, or `phase(<name>)`.
 *
 * - `never`: the act, unless every clause of one of the lists is true; no list = never.
 * - `visits`: of this phase, at most this many.
 * - `tool`: outside of these phases.
 */
export type Rule =
  | { never: string; unless: Clause[][] }
  | { visits: string; atMost: number }
  | { tool: string; onlyIn: string[] };

/** Where a rule was written, if not in the workflow that the job follows. */
export type InvariantSource = 'configuration' | 'base' | 'tenant' | 'repo' | 'inherited';

/** One rule about a job. `from` left out: the workflow's own. */
export type Invariant = Rule & { id: string; from?: InvariantSource };

/** What an agent or the workflow does, and a rule can forbid. `phase(<name>)` is one too. */
export const ACTS = ['merge', 'push', 'complete'] as const;

/** Facts of one pull request. */
export const PR_FACTS = [
  'push',
  'merge',
  'pr.opened',
  'approved(pr)',
  'checks.green',
  'checks.red',
] as const;

/** Facts of the job itself, like `approved(<phase>)` and `phase(<name>)`. */
export const JOB_FACTS = ['person', 'complete'] as const;

/** Calls that the job itself takes, and that a rule can keep to phases. */
export const GUARDED_TOOLS = [
  'merge_pr',
  'create_pr',
  'approve_pr',
  'post_pr_comment',
  'reply_to_comment',
  'create_repo',
  'post_comment',
  'transition_issue',
  'goto_phase',
  'await_event',
  'switch_workflow',
  'convert_to_workflow',
  'request_new_session',
  'set_work_items',
  'update_work_item',
  'set_job_params',
  'post_artifact',
  'add_insight',
  'propose_change',
  'register_sub_run',
  'finalize_sub_runs',
  'sub_run_command',
] as const;

export const toPhaseWord = (name: string): string => `phase(${name})`;
export const toApprovedWord = (name: string): string => `approved(${name})`;

/** The phase in `phase(<name>)` or `approved(<name>)`; null for other words. */
export function parsePhaseWord(word: string): string | null {
  const [, kind, name = null] = /^(phase|approved)\(([^()]+)\)$/.exec(word) ?? [];
  return kind === 'approved' && name === 'pr' ? null : name;
}

export const isPrFact = (fact: string): boolean => PR_FACTS.some((one) => one === fact);

export function listRulePhases(rule: Rule): string[] {
  if ('visits' in rule) return [rule.visits];
  if ('tool' in rule) return rule.onlyIn;
  const words = [
    rule.never,
    ...rule.unless
      .flat()
      .flatMap(({ fact, since }) => (since === undefined ? [fact] : [fact, since])),
  ];
  return words.flatMap((word) => parsePhaseWord(word) ?? []);
}

const formatClause = ({ fact, since, not }: Clause): string =>
  `${not ? 'not ' : ''}${fact}${since === undefined ? '' : ` since ${since}`}`;

/** The rule as people read it, such as `never merge, unless approved(pr) since push`. */
export function formatRule(rule: Rule): string {
  if ('visits' in rule) return `at most ${rule.atMost} visits of ${rule.visits}`;
  if ('tool' in rule) return `${rule.tool} only in ${rule.onlyIn.join(', ')}`;
  const unless = rule.unless.map((all) => all.map(formatClause).join(' and ')).join(' or ');
  return unless === '' ? `never ${rule.never}` : `never ${rule.never}, unless ${unless}`;
}

/** Equal for rules that forbid the same under the same id, wherever they were written. */
export const toInvariantKey = (rule: Invariant): string => `${rule.id}: ${formatRule(rule)}`;

/** All rules of the lists, each once, first ones first: no list removes another's rules. */
export function uniteInvariants(...lists: (readonly Invariant[] | undefined)[]): Invariant[] {
  const invariants = new Map<string, Invariant>();
  for (const rule of lists.flatMap((list) => list ?? [])) {
    const key = toInvariantKey(rule);
    if (!invariants.has(key)) invariants.set(key, rule);
  }
  return [...invariants.values()];
}
