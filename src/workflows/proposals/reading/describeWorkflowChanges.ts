import { isDeepStrictEqual } from 'node:util';
import {
  type Fields,
  toFields,
  toListOrEmpty,
  toStringOrEmpty,
} from '../../../base/json/untrusted.ts';

const formatMeaningValue = (value: unknown): string =>
  value === undefined || value === null
    ? 'none'
    : typeof value === 'string'
      ? value
      : JSON.stringify(value);

/** Names of phase members for people. */
const MEMBERS: Readonly<Record<string, string>> = {
  agent: 'agent',
  model: 'model',
  provider: 'executor',
  status: 'status',
  obligations: 'obligations',
};

const needsPhaseApproval = (phase: Fields): boolean => phase.interactive_checkpoint === true;

/** A list of tools in words; no list means every tool. */
const readToolList = (value: unknown): string[] | null =>
  Array.isArray(value) ? value.map(String) : null;

function describeToolChanges(before: unknown, after: unknown): string[] {
  const [from, to] = [readToolList(before), readToolList(after)];
  if (isDeepStrictEqual(from, to)) return [];
  if (to === null) return ['may use every tool: its list of tools is gone'];
  if (from === null) return [`may use only ${to.join(', ') || 'no tool'}, not every tool`];
  const [more, less] = [
    to.filter((tool) => !from.includes(tool)),
    from.filter((tool) => !to.includes(tool)),
  ];
  return [
    ...(more.length > 0 ? [`may also use ${more.join(', ')}`] : []),
    ...(less.length > 0 ? [`may no longer use ${less.join(', ')}`] : []),
  ];
}

function describePhaseChanges(name: string, before: Fields, after: Fields): string[] {
  const changes: string[] = [];
  if (needsPhaseApproval(before) !== needsPhaseApproval(after))
    changes.push(
      needsPhaseApproval(after)
        ? "now waits for a person's approval"
        : "no longer waits for a person's approval",
    );
  for (const [key, word] of Object.entries(MEMBERS))
    if (!isDeepStrictEqual(before[key] ?? null, after[key] ?? null))
      changes.push(
        `${word}: ${formatMeaningValue(before[key])} → ${formatMeaningValue(after[key])}`,
      );
  changes.push(...describeToolChanges(before.tools, after.tools));
  return changes.map((one) => `phase ${name}: ${one}`);
}

const indexPhasesByName = (data: Fields): Map<string, Fields> =>
  new Map(
    toListOrEmpty(data.phases).map((phase) => [
      toStringOrEmpty(toFields(phase).name),
      toFields(phase),
    ]),
  );

/** Names of the other workflow keys for people. */
const KEYS: Readonly<Record<string, string>> = {
  initial_phase: 'begins with the phase',
  initial_status: 'begins with the status',
  coordinator: 'sub-runs',
  budget: 'budget',
  writesTo: 'agents may write to',
  createParams: 'parameters of a new job',
  label: 'label',
  description: 'description',
  id: 'id',
};

const readInvariantId = (rule: unknown): string =>
  toStringOrEmpty(toFields(rule).id) || formatMeaningValue(rule);

function describeInvariantChanges(before: unknown, after: unknown): string[] {
  const [from, to] = [toListOrEmpty(before), toListOrEmpty(after)];
  const find = (rules: readonly unknown[], id: string) =>
    rules.find((rule) => readInvariantId(rule) === id);
  return [
    ...from
      .filter((rule) => find(to, readInvariantId(rule)) === undefined)
      .map((rule) => `the invariant ${readInvariantId(rule)} is gone: ${formatMeaningValue(rule)}`),
    ...to.flatMap((rule) => {
      const was = find(from, readInvariantId(rule));
      if (was === undefined) return [`new invariant: ${formatMeaningValue(rule)}`];
      return isDeepStrictEqual(was, rule)
        ? []
        : [
            `the invariant ${readInvariantId(rule)} changes: ${formatMeaningValue(was)} → ${formatMeaningValue(rule)}`,
          ];
    }),
  ];
}

/** What a change of a workflow's front matter means; phases first. */
export function describeWorkflowChanges(before: Fields, after: Fields): string[] {
  const [from, to] = [indexPhasesByName(before), indexPhasesByName(after)];
  const renames = new Map<string, string>();
  for (const [name, phase] of from) {
    const other = to.has(name)
      ? undefined
      : [...to].find(([one, now]) => !from.has(one) && isDeepStrictEqual({ ...now, name }, phase));
    if (other) renames.set(name, other[0]);
  }
  const common = [...to.keys()].filter((name) => from.has(name));
  const listOrder = (phases: Map<string, Fields>) =>
    [...phases.keys()].filter((name) => common.includes(name));
  const changes = [
    ...[...renames].map(([was, now]) => `phase ${was} is now called ${now}`),
    ...[...from]
      .filter(([name]) => !to.has(name) && !renames.has(name))
      .map(([name, phase]) =>
        needsPhaseApproval(phase)
          ? `phase ${name} is removed, and with it a person's approval`
          : `phase ${name} is removed`,
      ),
    ...[...to]
      .filter(([name]) => !from.has(name) && ![...renames.values()].includes(name))
      .map(
        ([name, phase]) =>
          `new phase ${name} with ${formatMeaningValue(phase.agent)}${needsPhaseApproval(phase) ? ", waits for a person's approval" : ''}`,
      ),
    ...(isDeepStrictEqual(listOrder(from), listOrder(to))
      ? []
      : [`the phases follow each other differently: ${[...to.keys()].join(', ')}`]),
    ...common.flatMap((name) =>
      describePhaseChanges(name, from.get(name) ?? {}, to.get(name) ?? {}),
    ),
    ...describeInvariantChanges(before.invariants, after.invariants),
  ];
  for (const [key, word] of Object.entries(KEYS))
    if (!isDeepStrictEqual(before[key] ?? null, after[key] ?? null))
      changes.push(
        `${word}: ${formatMeaningValue(before[key])} → ${formatMeaningValue(after[key])}`,
      );
  return changes;
}
