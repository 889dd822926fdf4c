import { parkPhaseOf, type JobContext } from '../../machines/index.ts';
import { isLoopback } from '../lib/loopback.ts';
import { promptOf } from './deciders/sitePrompts.ts';
import type { DecisionSite, JudgeTerms } from '../schema/decision.ts';
import type { DecisionSettings } from '../schema/settings.ts';

/** The provider that asks no network. */
export const RULES = 'rules';
/** The provider that asks a model behind an endpoint. */
export const MODEL = 'model';

/** A model on this machine, named on purpose, needs no key. */
const isLocalModel = ({ provider, baseUrl }: DecisionSettings): boolean =>
  provider === MODEL &&
  baseUrl !== null &&
  URL.canParse(baseUrl) &&
  isLoopback(new URL(baseUrl).hostname);

/** Whether there is a key, or the provider needs none. */
export const hasKey = (settings: DecisionSettings): boolean =>
  settings.apiKey !== '' || settings.provider === RULES || isLocalModel(settings);

/** Why the layer does nothing although a mode is set, for people; null = it works, or is off. */
export const missingKey = (settings: DecisionSettings): string | null =>
  settings.mode === 'off' || hasKey(settings)
    ? null
    : `decision.mode is ${settings.mode}, and no key is set: nothing is rated. Set decision.apiKey or SVC_DECISION_API_KEY`;

/**
 * The mode in which a site works: its own, else that of the layer. The layer is on only when its
 * mode is not off and a key is available.
 */
export function siteMode(settings: DecisionSettings, site: DecisionSite): 'shadow' | 'live' | null {
  if (settings.mode === 'off' || !hasKey(settings)) return null;
  const mode = settings.sites[site] ?? settings.mode;
  return mode === 'off' ? null : mode;
}

/**
 * The pinned model as records name it: with the prompt where svc writes that, since another prompt is
 * another judge.
 */
export const recordedModel = (
  { provider, model }: Pick<DecisionSettings, 'provider' | 'model'>,
  site: DecisionSite,
): string => (provider === MODEL ? `${model}@${promptOf(site)}` : model);

/** How the phases of a job are rated; null = they are not. */
export function judgeTerms(
  settings: DecisionSettings,
  { params, workflow }: Pick<JobContext, 'params' | 'workflow'>,
): JudgeTerms | null {
  const mode = siteMode(settings, 'overseer');
  const { scope, onFlag, thresholds } = settings.overseer;
  if (mode === null || scope === 'off') return null;
  const ofCampaign = typeof params.parentJobId === 'string' || parkPhaseOf(workflow) !== null;
  if (scope === 'campaigns' && !ofCampaign) return null;
  const { provider, model, timeoutMs } = settings;
  const recorded = recordedModel(settings, 'overseer');
  return {
    mode,
    onFlag,
    thresholds,
    provider,
    model,
    timeoutMs,
    ...(recorded === model ? {} : { recordedModel: recorded }),
  };
}
