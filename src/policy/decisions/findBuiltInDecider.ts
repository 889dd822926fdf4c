import type { DecidesQuestions } from '../../contract/policy/decider.ts';
import type { DecisionSettings } from '../../contract/schema/runner/settings.ts';
import { createModelDecider } from './deciders/modelDecider.ts';
import { rulesDecider } from './deciders/rulesDecider.ts';
import { createWireDecider } from './deciders/wireDecider.ts';
import { MODEL, RULES } from './decisionTerms.ts';

/** The provider with svc's own wire format; the default. */
export const WIRE = 'decider';

const requireBaseUrl = (baseUrl: string | null): string => {
  if (baseUrl !== null) return baseUrl;
  throw new Error(
    "The provider's address is not set: set decision.baseUrl, or SVC_DECISION_BASE_URL, to its origin.",
  );
};

/**
 * The built-in decider of this id; undefined = none. Throws Error if its settings are incomplete.
 */
export function findBuiltInDecider(
  id: string,
  { api, baseUrl, apiKey }: DecisionSettings,
): DecidesQuestions | undefined {
  if (id === RULES) return rulesDecider;
  if (id === WIRE) return createWireDecider({ baseUrl: requireBaseUrl(baseUrl), apiKey });
  if (id === MODEL) return createModelDecider({ api, baseUrl: requireBaseUrl(baseUrl), apiKey });
  return undefined;
}
