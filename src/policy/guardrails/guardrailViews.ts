import { toIsoTime } from '../../base/time/toIsoTime.ts';
import { ANY_SUBJECT, type GuardrailAct } from '../../base/agents/guardrails.ts';
import type { ResultCount } from './guardrailReader.ts';
import type { Rule } from './rule.ts';
import type { ScriptRule } from './readScriptRules.ts';
import { deriveDecisionId } from './hashRuleSubject.ts';
import type { Tables } from '../../contract/records/tables.ts';
import type {
  GuardrailDecision,
  GuardrailList,
  GuardrailRule,
} from '../../contract/schema/policy/guardrailView.ts';

export const toGuardrailRule = (rule: Rule | ScriptRule): GuardrailRule => ({
  id: rule.id,
  source: rule.source,
  enabled: rule.enabled,
  when: [...rule.when],
  tools: rule.tools && [...rule.tools],
  paths: rule.paths && [...rule.paths],
  do: rule.do,
  message: rule.message,
  severity: rule.severity,
  condition: rule.condition,
  limit: 'limit' in rule ? rule.limit : null,
  problem: 'problem' in rule ? rule.problem : null,
});

/** A rule as people see it, with its counts so far. */
export function toCountedGuardrailRule(
  rule: Rule | ScriptRule,
  passes: readonly Tables['guardrail_passes'][],
  results: readonly ResultCount[],
): GuardrailList['rules'][number] {
  const own = results.filter((one) => one.rule === rule.id);
  const times = (result: GuardrailAct): number =>
    own.find((one) => one.result === result)?.times ?? 0;
  const last = Math.max(0, ...own.map((one) => one.last));
  return {
    ...toGuardrailRule(rule),
    counts: {
      pass: passes.reduce((sum, one) => sum + (one.rule === rule.id ? one.passes : 0), 0),
      deny: times('deny'),
      park: times('park'),
      redact: times('redact'),
      note: times('note'),
    },
    last: last === 0 ? null : toIsoTime(last),
  };
}

export const toGuardrailDecision = (row: Tables['guardrail_decisions']): GuardrailDecision => ({
  id: deriveDecisionId(row.rule, row.moment, row.subject),
  jobId: row.job_id === '' ? null : row.job_id,
  rule: row.rule,
  moment: row.moment,
  result: row.result,
  tool: row.tool,
  phase: row.phase,
  message: row.message,
  at: toIsoTime(row.at),
  times: row.times,
  ms: row.ms,
  script: row.script,
  allowed: row.allowed_at === null ? null : { at: toIsoTime(row.allowed_at), by: row.allowed_by },
  ...(row.subject === ANY_SUBJECT ? { anySize: true } : {}),
});
