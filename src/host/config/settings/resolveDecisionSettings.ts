import type { DecisionSettings } from '../../../contract/schema/runner/settings.ts';
import type { Config } from '../configSchema.ts';
import { DECISION_MODES } from './decisionModes.ts';
import type { Environment } from '../home/env.ts';

/** The pinned model where none is configured. */
export const DEFAULT_DECISION_MODEL = 'decider-1.13.0';

/** The section `decision`, with the environment where it is silent. */
export function resolveDecisionSettings(
  section: Config['decision'],
  environment: Environment['decision'],
): DecisionSettings {
  const requireValue = (key: string, value: string | undefined): string =>
    value !== undefined && value !== ''
      ? value
      : String(environment[`decision.${key}`]?.value ?? '');
  const { provider, api, timeoutMs, overseer, sites } = section;
  const mode = requireValue('mode', section.mode);
  const baseUrl = requireValue('baseUrl', section.baseUrl);
  return {
    mode: DECISION_MODES.find((candidate) => candidate === mode) ?? 'off',
    provider,
    api,
    apiKey: requireValue('apiKey', section.apiKey),
    baseUrl: baseUrl === '' ? null : baseUrl,
    model: requireValue('model', section.model) || DEFAULT_DECISION_MODEL,
    timeoutMs,
    overseer,
    sites,
  };
}
