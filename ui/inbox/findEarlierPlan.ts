import type { Artefact } from '../../src/contract/schema/job/job.ts';

/**
 * The plan that a person has seen before this one: of the same kind and phase, posted last before
 * it. Undefined where it is the first.
 */
export function findEarlierPlan(
  artefacts: readonly Artefact[],
  planId: string | null,
): Artefact | undefined {
  const plan = artefacts.find(({ id }) => id === planId);
  if (plan === undefined) return undefined;
  return artefacts
    .filter(
      ({ id, kind, phase, at }) =>
        id !== plan.id && kind === plan.kind && phase === plan.phase && at <= plan.at,
    )
    .sort((a, b) => a.at.localeCompare(b.at))
    .at(-1);
}
