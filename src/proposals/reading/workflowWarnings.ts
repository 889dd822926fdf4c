import { isDeepStrictEqual } from 'node:util';
import { type Fields, fields, list, text } from '../../lib/untrusted.ts';
import type { Found } from './found.ts';
import { wider } from './widerTools.ts';

const phasesOf = (data: Fields): Map<string, Fields> =>
  new Map(list(data.phases).map((phase) => [text(fields(phase).name), fields(phase)]));

const isApproved = (phase: Fields | undefined): boolean => phase?.interactive_checkpoint === true;
const said = (value: unknown): string => JSON.stringify(value ?? null);

/** Phases that no longer come after a person's approval, and approvals that are gone. */
function approvals(before: Fields, after: Fields): Found[] {
  const [from, to] = [phasesOf(before), phasesOf(after)];
  const found: Found[] = [];
  const [was, now] = [[...from.keys()], [...to.keys()]];
  for (const [name, phase] of from) {
    if (!isApproved(phase)) continue;
    if (!isApproved(to.get(name)))
      found.push(['weakens', `no person approves the phase ${name} any more`]);
    const early = now
      .slice(0, Math.max(0, now.indexOf(name)))
      .filter((one) => was.indexOf(one) > was.indexOf(name));
    if (early.length > 0)
      found.push(['weakens', `${early.join(', ')} now come before the approval of ${name}`]);
  }
  const guarded = [...from.values(), ...to.values()].some(isApproved);
  if (guarded && before.initial_phase !== after.initial_phase)
    found.push([
      'weakens',
      `jobs begin with the phase ${text(after.initial_phase)}, not ${text(before.initial_phase)}`,
    ]);
  return found;
}

function invariants(before: Fields, after: Fields): Found[] {
  const kept = new Map(list(after.invariants).map((rule) => [text(fields(rule).id), said(rule)]));
  return list(before.invariants).flatMap((rule): Found[] => {
    const id = text(fields(rule).id);
    if (!kept.has(id)) return [['weakens', `the invariant ${id} is gone: ${said(rule)}`]];
    return kept.get(id) === said(rule)
      ? []
      : [['weakens', `the invariant ${id} changes: ${kept.get(id)}`]];
  });
}

function ofPhase(name: string, before: Fields, after: Fields): Found[] {
  const found: Found[] = [];
  if (!isDeepStrictEqual(before.obligations ?? null, after.obligations ?? null))
    found.push([
      'weakens',
      `the obligations of the phase ${name} change: ${said(after.obligations)}`,
    ]);
  if ((before.provider ?? null) !== (after.provider ?? null))
    found.push(['widens', `the phase ${name} runs on another executor: ${said(after.provider)}`]);
  return [...found, ...wider(`the phase ${name}`, before.tools, after.tools, false)];
}

/** What a change of a workflow's front matter loosens; `before` is empty where it is new. */
export function workflowWarnings(before: Fields, after: Fields): Found[] {
  const [from, to] = [phasesOf(before), phasesOf(after)];
  const fresh = [...to].filter(([name]) => !from.has(name));
  const unlimited = fresh.filter(([, { tools, agent }]) => !Array.isArray(tools) && agent !== null);
  const budgetChanges =
    before.budget !== undefined && !isDeepStrictEqual(before.budget, after.budget);
  const coordinates = (data: Fields) => fields(data.coordinator).enabled === true;
  return [
    ...approvals(before, after),
    ...[...to].flatMap(([name, phase]) => {
      const was = from.get(name);
      return was === undefined ? [] : ofPhase(name, was, phase);
    }),
    ...(unlimited.length === 0
      ? []
      : ([
          ['widens', `every tool may be used in: ${unlimited.map(([name]) => name).join(', ')}`],
        ] satisfies Found[])),
    ...fresh
      .filter(([, { tools }]) => Array.isArray(tools))
      .flatMap(([name, phase]) => wider(`the phase ${name}`, undefined, phase.tools, true)),
    ...invariants(before, after),
    ...(coordinates(after) && !coordinates(before)
      ? ([['widens', 'its agents may make sub-runs']] satisfies Found[])
      : []),
    ...(budgetChanges
      ? ([['weakens', `its budget changes: ${said(after.budget)}`]] satisfies Found[])
      : []),
  ];
}
