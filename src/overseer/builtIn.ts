import type { DecidesQuestions } from '../contract/decider.ts';
import type { DecisionSettings } from '../schema/settings.ts';
import { modelDecider } from './deciders/model.ts';
import { rulesDecider } from './deciders/rules.ts';
import { wireDecider } from './deciders/wire.ts';
import { MODEL, RULES } from './terms.ts';

/** The provider that speaks svc's own wire format; the default one. */
export const WIRE = 'decider';

const needed = (baseUrl: string | null): string => {
  if (baseUrl !== null) return baseUrl;
  throw new Error(
    'The provider has no address: set decision.baseUrl, or SVC_DECISION_BASE_URL, to its origin.',
  );
};

/**
 * The built-in decider of this id; undefined = none has this id. Throws Error where its settings are
 * not enough to ask it.
 */
export function builtInDecider(
  id: string,
  { api, baseUrl, apiKey }: DecisionSettings,
): DecidesQuestions | undefined {
  if (id === RULES) return rulesDecider;
  if (id === WIRE) return wireDecider({ baseUrl: needed(baseUrl), apiKey });
  if (id === MODEL) return modelDecider({ api, baseUrl: needed(baseUrl), apiKey });
  return undefined;
}
