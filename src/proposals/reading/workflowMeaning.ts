import { isDeepStrictEqual } from 'node:util';
import { type Fields, fields, list, text } from '../../lib/untrusted.ts';

const said = (value: unknown): string =>
  value === undefined || value === null
    ? 'none'
    : typeof value === 'string'
      ? value
      : JSON.stringify(value);

/** What the members of a phase are called for people. */
const MEMBERS: Readonly<Record<string, string>> = {
  agent: 'agent',
  model: 'model',
  provider: 'executor',
  status: 'status',
  obligations: 'obligations',
};

const asksApproval = (phase: Fields): boolean => phase.interactive_checkpoint === true;

/** A list of tools in words; no list means every tool. */
const toolsIn = (value: unknown): string[] | null =>
  Array.isArray(value) ? value.map(String) : null;

function toolChanges(before: unknown, after: unknown): string[] {
  const [from, to] = [toolsIn(before), toolsIn(after)];
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

function phaseChanges(name: string, before: Fields, after: Fields): string[] {
  const found: string[] = [];
  if (asksApproval(before) !== asksApproval(after))
    found.push(
      asksApproval(after)
        ? "now waits for a person's approval"
        : "no longer waits for a person's approval",
    );
  for (const [key, word] of Object.entries(MEMBERS))
    if (!isDeepStrictEqual(before[key] ?? null, after[key] ?? null))
      found.push(`${word}: ${said(before[key])} → ${said(after[key])}`);
  found.push(...toolChanges(before.tools, after.tools));
  return found.map((one) => `phase ${name}: ${one}`);
}

const byName = (data: Fields): Map<string, Fields> =>
  new Map(list(data.phases).map((phase) => [text(fields(phase).name), fields(phase)]));

/** Keys of a workflow beside its phases, as people call them. */
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

const ruleId = (rule: unknown): string => text(fields(rule).id) || said(rule);

function invariantChanges(before: unknown, after: unknown): string[] {
  const [from, to] = [list(before), list(after)];
  const find = (rules: readonly unknown[], id: string) => rules.find((rule) => ruleId(rule) === id);
  return [
    ...from
      .filter((rule) => find(to, ruleId(rule)) === undefined)
      .map((rule) => `the invariant ${ruleId(rule)} is gone: ${said(rule)}`),
    ...to.flatMap((rule) => {
      const was = find(from, ruleId(rule));
      if (was === undefined) return [`new invariant: ${said(rule)}`];
      return isDeepStrictEqual(was, rule)
        ? []
        : [`the invariant ${ruleId(rule)} changes: ${said(was)} → ${said(rule)}`];
    }),
  ];
}

/** What a change of a workflow's front matter means; phases first. */
export function workflowChanges(before: Fields, after: Fields): string[] {
  const [from, to] = [byName(before), byName(after)];
  const renamed = new Map<string, string>();
  for (const [name, phase] of from) {
    const other = to.has(name)
      ? undefined
      : [...to].find(([one, now]) => !from.has(one) && isDeepStrictEqual({ ...now, name }, phase));
    if (other) renamed.set(name, other[0]);
  }
  const kept = [...to.keys()].filter((name) => from.has(name));
  const orderOf = (phases: Map<string, Fields>) =>
    [...phases.keys()].filter((name) => kept.includes(name));
  const found = [
    ...[...renamed].map(([was, now]) => `phase ${was} is now called ${now}`),
    ...[...from]
      .filter(([name]) => !to.has(name) && !renamed.has(name))
      .map(([name, phase]) =>
        asksApproval(phase)
          ? `phase ${name} is removed, and with it a person's approval`
          : `phase ${name} is removed`,
      ),
    ...[...to]
      .filter(([name]) => !from.has(name) && ![...renamed.values()].includes(name))
      .map(
        ([name, phase]) =>
          `new phase ${name} with ${said(phase.agent)}${asksApproval(phase) ? ", waits for a person's approval" : ''}`,
      ),
    ...(isDeepStrictEqual(orderOf(from), orderOf(to))
      ? []
      : [`the phases follow each other differently: ${[...to.keys()].join(', ')}`]),
    ...kept.flatMap((name) => phaseChanges(name, from.get(name) ?? {}, to.get(name) ?? {})),
    ...invariantChanges(before.invariants, after.invariants),
  ];
  for (const [key, word] of Object.entries(KEYS))
    if (!isDeepStrictEqual(before[key] ?? null, after[key] ?? null))
      found.push(`${word}: ${said(before[key])} → ${said(after[key])}`);
  return found;
}
