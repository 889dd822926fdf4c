import type { TriggerView } from '../../src/contract/schema/forge/trigger.ts';
import { type Finding, toOkFinding, toSkippedFinding, toWarningFinding } from './check.ts';

/** The outcome of the webhooks that a rule was about, since the runner started. */
export function diagnoseTriggers(rules: readonly TriggerView[]): Finding {
  if (rules.length === 0)
    return toSkippedFinding('no rules are configured (triggers in config.json)');
  const refusedRules = rules.filter((rule) => rule.refused > 0);
  if (refusedRules.length === 0)
    return toOkFinding(
      `${rules.length} ${rules.length === 1 ? 'rule' : 'rules'}, no webhook was refused`,
    );
  return toWarningFinding(
    refusedRules
      .map(
        ({ id, refused: count, lastRefusal }) =>
          `${id} created no job ${count} times; the last time: ${lastRefusal}`,
      )
      .join('; '),
    'If a job should have been created, fix what is reported and deliver the webhook again.',
  );
}
