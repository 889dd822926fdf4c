import { findParkPhase, type JobContext } from '../../../machines/index.ts';
import { isLoopbackAddress } from '../../base/http/isLoopbackAddress.ts';
import { toPromptName } from './deciders/sitePrompts.ts';
import type { DecisionSite, RatingTerms } from '../../contract/schema/policy/decision.ts';
import type { DecisionSettings } from '../../contract/schema/runner/settings.ts';

export const RULES = 'rules';
export const MODEL = 'model';

/** A model on this machine, named on purpose, needs no key. */
const isLocalModel = ({ provider, baseUrl }: DecisionSettings): boolean =>
  provider === MODEL &&
  baseUrl !== null &&
  URL.canParse(baseUrl) &&
  isLoopbackAddress(new URL(baseUrl).hostname);

/** Whether there is a key, or the provider needs none. */
export const hasDecisionKey = (settings: DecisionSettings): boolean =>
  settings.apiKey !== '' || settings.provider === RULES || isLocalModel(settings);

/** Why the layer is inactive although a mode is set, for people; null = it is active, or off. */
export const explainMissingKey = (settings: DecisionSettings): string | null =>
  settings.mode === 'off' || hasDecisionKey(settings)
    ? null
    : `decision.mode is ${settings.mode}, but no key is set: nothing is rated. Set decision.apiKey or SVC_DECISION_API_KEY`;

/**
 * The mode of a site: its own, else that of the layer. The layer is on only if its mode is not off
 * and a key is available.
 */
export function resolveSiteMode(
  settings: DecisionSettings,
  site: DecisionSite,
): 'shadow' | 'live' | null {
  if (settings.mode === 'off' || !hasDecisionKey(settings)) return null;
  const mode = settings.sites[site] ?? settings.mode;
  return mode === 'off' ? null : mode;
}

/**
 * The pinned model in records, with the prompt if svc writes it, since another prompt is another
 * decider.
 */
export const toRecordedModel = (
  { provider, model }: Pick<DecisionSettings, 'provider' | 'model'>,
  site: DecisionSite,
): string => (provider === MODEL ? `${model}@${toPromptName(site)}` : model);

export function resolveRatingTerms(
  settings: DecisionSettings,
  { params, workflow }: Pick<JobContext, 'params' | 'workflow'>,
): RatingTerms | null {
  const mode = resolveSiteMode(settings, 'overseer');
  const { scope, onFlag, thresholds } = settings.overseer;
  if (mode === null || scope === 'off') return null;
  const ofCampaign = typeof params.parentJobId === 'string' || findParkPhase(workflow) !== null;
  if (scope === 'campaigns' && !ofCampaign) return null;
  const { provider, model, timeoutMs } = settings;
  const recordedModel = toRecordedModel(settings, 'overseer');
  return {
    mode,
    onFlag,
    thresholds,
    provider,
    model,
    timeoutMs,
    ...(recordedModel === model ? {} : { recordedModel }),
  };
}
