import type { GuardrailAct } from '../../base/agents/guardrails.ts';
import { toErrorMessage } from '../../base/errors/errors.ts';
import { fitsPath, fitsWildcard } from './glob.ts';
import type { Rule, Subject } from './rule.ts';

export interface RuleOutcome {
  rule: string;
  result: GuardrailAct;
  /** What is wrong and what to do instead, in sentences. */
  message: string;
  /** Hash of the deciding script; null = no script. */
  script: string | null;
}

/** Weight of each result: the heaviest of all rules decides. */
const WEIGHT: Readonly<Record<GuardrailAct, number>> = { deny: 4, park: 3, redact: 2, note: 1 };

export const isAsked = (
  { enabled, when, tools, paths, id }: Pick<Rule, 'enabled' | 'when' | 'tools' | 'paths' | 'id'>,
  { moment, tool, diff }: Subject,
): boolean =>
  enabled &&
  when.includes(moment) &&
  (tools === null ||
    tools.some((pattern) => fitsWildcard(pattern.toLowerCase(), tool.toLowerCase()))) &&
  // The built-in rule checks its paths itself, so that it can name the files.
  (paths === null ||
    id === 'protected-paths' ||
    (diff?.paths ?? []).some((path) => paths.some((pattern) => fitsPath(pattern, path))));

const toRuleSentence = (text: string): string => {
  const trimmed = text.trim();
  return trimmed === '' || /[.!?]$/.test(trimmed) ? trimmed : `${trimmed}.`;
};

export function formatRuleMessage(id: string, what: string, way: string): string {
  const sentences = [what, way].map(toRuleSentence).filter((one) => one !== '');
  return `guardrail ${id}: ${sentences.join(' ') || 'not allowed here.'}`;
}

/**
 * The result of a rule of code or CEL. A rule that fails counts as holding, unless it only notes.
 */
export function evaluateRule(rule: Rule, subject: Subject): RuleOutcome | null {
  if (!isAsked(rule, subject)) return null;
  const says = (what: string): RuleOutcome => ({
    rule: rule.id,
    result: rule.do,
    message: formatRuleMessage(rule.id, what, rule.message),
    script: null,
  });
  try {
    const finding = rule.test(subject, rule);
    return finding && says(finding.what);
  } catch (error) {
    if (rule.do === 'note') return null;
    return says(`the rule could not be evaluated (${toErrorMessage(error).split('\n', 1)[0]})`);
  }
}

/** The deciding outcome; null = every rule passes. */
export const pickHeaviestOutcome = (outcomes: readonly RuleOutcome[]): RuleOutcome | null =>
  outcomes.reduce<RuleOutcome | null>(
    (most, one) => (most === null || WEIGHT[one.result] > WEIGHT[most.result] ? one : most),
    null,
  );
