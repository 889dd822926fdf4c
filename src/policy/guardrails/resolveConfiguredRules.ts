import type { GuardrailEntry } from '../../contract/schema/policy/guardrail.ts';
import { BUILT_IN_RULES } from './builtIn/builtInRules.ts';
import { parseCondition } from './condition.ts';
import type { Rule } from './rule.ts';

export interface EntryMistake {
  index: number;
  key: string | null;
  message: string;
  /** Character of an expression, from 0. */
  at?: number;
}

const OF_BUILT_IN: readonly (keyof GuardrailEntry)[] = ['when', 'if'];

const overrideBuiltInRule = (
  rule: Rule,
  { enabled, tools, paths, do: act, message, severity, limit }: GuardrailEntry,
): Rule => ({
  ...rule,
  enabled: enabled ?? rule.enabled,
  tools: tools ?? rule.tools,
  paths: paths ?? rule.paths,
  do: act ?? rule.do,
  message: message ?? rule.message,
  severity: severity ?? rule.severity,
  limit: limit ?? rule.limit,
});

function findFixedKeyMistakes(
  rule: Rule,
  entry: GuardrailEntry,
): Pick<EntryMistake, 'key' | 'message'>[] {
  const fixedMistakes = OF_BUILT_IN.filter((key) => entry[key] !== undefined).map((key) => ({
    key,
    message: `${rule.id} is a built-in rule, and its "${key}" is fixed. Remove the key, or give your rule another id.`,
  }));
  const changesAction = rule.message === '' && (entry.do ?? 'deny') !== 'deny';
  return [
    ...fixedMistakes,
    ...(entry.limit !== undefined && rule.limit === null
      ? [{ key: 'limit', message: `${rule.id} has no limit. Remove the key "limit".` }]
      : []),
    ...(entry.do === 'redact' && !rule.redact
      ? [{ key: 'do', message: `${rule.id} cannot redact. Use deny, park or note.` }]
      : []),
    ...(changesAction
      ? [{ key: 'do', message: `${rule.id} is always deny: svc itself refuses this.` }]
      : []),
  ];
}

function createConfiguredRule(
  entry: GuardrailEntry,
): { rule: Rule } | { mistakes: Omit<EntryMistake, 'index'>[] } {
  const { id, when, tools, paths, do: act = 'deny', message, severity = 'medium' } = entry;
  const mistakes: Omit<EntryMistake, 'index'>[] = [];
  if (when === undefined)
    mistakes.push({
      key: null,
      message: `${id} is not a built-in rule, and a new rule needs the key "when". Add it, or use one of ${BUILT_IN_RULES.map((one) => one.id).join(', ')}.`,
    });
  if (entry.limit !== undefined)
    mistakes.push({
      key: 'limit',
      message: 'Only built-in rules have a limit. Write the number in the condition.',
    });
  if (act === 'redact')
    mistakes.push({
      key: 'do',
      message: 'Only no-secret-in-output can redact. Use deny, park or note.',
    });
  if (act === 'park' && when === 'job.start')
    mistakes.push({
      key: 'do',
      message: 'A job that does not exist yet cannot wait for a person. Use deny or note.',
    });
  const parsed = entry.if === undefined ? null : parseCondition(entry.if);
  if (parsed && 'mistake' in parsed)
    mistakes.push({
      key: 'if',
      message: `The condition is not valid at its character ${parsed.mistake.at + 1}. ${parsed.mistake.message}`,
      at: parsed.mistake.at,
    });
  if (mistakes.length > 0 || when === undefined) return { mistakes };
  const condition = parsed && 'condition' in parsed ? parsed.condition : () => true;
  return {
    rule: {
      id,
      source: 'config',
      enabled: entry.enabled ?? true,
      when: [when],
      tools: tools ?? null,
      paths: paths ?? null,
      do: act,
      message: message ?? '',
      severity,
      condition: entry.if ?? 'always',
      limit: null,
      test: (subject) => (condition(subject) ? { what: '' } : null),
    },
  };
}

/**
 * The rules of svc as changed by the configuration, those that it adds, and all mistakes in its
 * entries.
 */
export function resolveConfiguredRules(entries: readonly GuardrailEntry[]): {
  rules: Rule[];
  mistakes: EntryMistake[];
} {
  const rules = new Map(BUILT_IN_RULES.map((rule) => [rule.id, rule]));
  const mistakes: EntryMistake[] = [];
  const seenIds = new Set<string>();
  for (const [index, entry] of entries.entries()) {
    const { id } = entry;
    if (seenIds.has(id)) {
      mistakes.push({
        index,
        key: 'id',
        message: `Two entries have the id ${id}. Merge them, or change one id.`,
      });
      continue;
    }
    seenIds.add(id);
    const own = rules.get(id);
    if (own) {
      mistakes.push(...findFixedKeyMistakes(own, entry).map((one) => ({ index, ...one })));
      rules.set(id, overrideBuiltInRule(own, entry));
      continue;
    }
    const configuredRule = createConfiguredRule(entry);
    if ('mistakes' in configuredRule)
      mistakes.push(...configuredRule.mistakes.map((one) => ({ index, ...one })));
    else rules.set(id, configuredRule.rule);
  }
  return { rules: [...rules.values()], mistakes };
}
