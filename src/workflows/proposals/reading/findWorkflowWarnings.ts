import { isDeepStrictEqual } from 'node:util';
import {
  type Fields,
  toFields,
  toListOrEmpty,
  toStringOrEmpty,
} from '../../../base/json/untrusted.ts';
import { findWiderTools, type FoundWarning } from './findWiderTools.ts';

const mapPhasesByName = (data: Fields): Map<string, Fields> =>
  new Map(
    toListOrEmpty(data.phases).map((phase) => [
      toStringOrEmpty(toFields(phase).name),
      toFields(phase),
    ]),
  );

const isPhaseApproved = (phase: Fields | undefined): boolean =>
  phase?.interactive_checkpoint === true;
const formatWarningValue = (value: unknown): string => JSON.stringify(value ?? null);

/** Phases that no longer follow a person's approval, and removed approvals. */
function findLostApprovals(before: Fields, after: Fields): FoundWarning[] {
  const [from, to] = [mapPhasesByName(before), mapPhasesByName(after)];
  const warnings: FoundWarning[] = [];
  const [was, now] = [[...from.keys()], [...to.keys()]];
  for (const [name, phase] of from) {
    if (!isPhaseApproved(phase)) continue;
    if (!isPhaseApproved(to.get(name)))
      warnings.push(['weakens', `no person approves the phase ${name} any more`]);
    const early = now
      .slice(0, Math.max(0, now.indexOf(name)))
      .filter((one) => was.indexOf(one) > was.indexOf(name));
    if (early.length > 0)
      warnings.push(['weakens', `${early.join(', ')} now come before the approval of ${name}`]);
  }
  const guarded = [...from.values(), ...to.values()].some(isPhaseApproved);
  if (guarded && before.initial_phase !== after.initial_phase)
    warnings.push([
      'weakens',
      `jobs begin with the phase ${toStringOrEmpty(after.initial_phase)}, not ${toStringOrEmpty(before.initial_phase)}`,
    ]);
  return warnings;
}

function findLooserInvariants(before: Fields, after: Fields): FoundWarning[] {
  const earlierInvariants = new Map(
    toListOrEmpty(after.invariants).map((rule) => [
      toStringOrEmpty(toFields(rule).id),
      formatWarningValue(rule),
    ]),
  );
  return toListOrEmpty(before.invariants).flatMap((rule): FoundWarning[] => {
    const id = toStringOrEmpty(toFields(rule).id);
    if (!earlierInvariants.has(id))
      return [['weakens', `the invariant ${id} is gone: ${formatWarningValue(rule)}`]];
    return earlierInvariants.get(id) === formatWarningValue(rule)
      ? []
      : [['weakens', `the invariant ${id} changes: ${earlierInvariants.get(id)}`]];
  });
}

function findLooserPhase(name: string, before: Fields, after: Fields): FoundWarning[] {
  const warnings: FoundWarning[] = [];
  if (!isDeepStrictEqual(before.obligations ?? null, after.obligations ?? null))
    warnings.push([
      'weakens',
      `the obligations of the phase ${name} change: ${formatWarningValue(after.obligations)}`,
    ]);
  if ((before.provider ?? null) !== (after.provider ?? null))
    warnings.push([
      'widens',
      `the phase ${name} runs on another executor: ${formatWarningValue(after.provider)}`,
    ]);
  return [...warnings, ...findWiderTools(`the phase ${name}`, before.tools, after.tools, false)];
}

/** What a change of a workflow's front matter loosens; `before` is empty for a new one. */
export function findWorkflowWarnings(before: Fields, after: Fields): FoundWarning[] {
  const [from, to] = [mapPhasesByName(before), mapPhasesByName(after)];
  const fresh = [...to].filter(([name]) => !from.has(name));
  const unlimitedPhases = fresh.filter(
    ([, { tools, agent }]) => !Array.isArray(tools) && agent !== null,
  );
  const budgetChanges =
    before.budget !== undefined && !isDeepStrictEqual(before.budget, after.budget);
  const coordinates = (data: Fields) => toFields(data.coordinator).enabled === true;
  return [
    ...findLostApprovals(before, after),
    ...[...to].flatMap(([name, phase]) => {
      const was = from.get(name);
      return was === undefined ? [] : findLooserPhase(name, was, phase);
    }),
    ...(unlimitedPhases.length === 0
      ? []
      : ([
          [
            'widens',
            `every tool may be used in: ${unlimitedPhases.map(([name]) => name).join(', ')}`,
          ],
        ] satisfies FoundWarning[])),
    ...fresh
      .filter(([, { tools }]) => Array.isArray(tools))
      .flatMap(([name, phase]) =>
        findWiderTools(`the phase ${name}`, undefined, phase.tools, true),
      ),
    ...findLooserInvariants(before, after),
    ...(coordinates(after) && !coordinates(before)
      ? ([['widens', 'its agents may make sub-runs']] satisfies FoundWarning[])
      : []),
    ...(budgetChanges
      ? ([
          ['weakens', `its budget changes: ${formatWarningValue(after.budget)}`],
        ] satisfies FoundWarning[])
      : []),
  ];
}
