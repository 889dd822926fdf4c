import {
  type Invariant,
  toInvariantKey,
  isPrFact,
  toPhaseWord,
  uniteInvariants,
} from '../../../src/base/invariants/invariant.ts';
import {
  allowsAct,
  type Monitor,
  NOTHING_HAPPENED,
  advanceMonitor,
} from '../../../src/base/invariants/monitor.ts';
import type { ProviderEventKind } from '../../../src/contract/schema/forge/pr.ts';
import type { WorkflowTable } from '../../../src/contract/schema/workflow/workflow.ts';
import type { JobContext, PrRef } from '../jobContext.ts';
import type { ToolEvent } from '../jobEvents.ts';
import type { InvariantMonitors } from '../invariantMonitors.ts';
import { sha256 } from './sha256.ts';
import { isPrEnd } from './wakeMatch.ts';

/** Hash digits that name a rule with a stored monitor. */
const NAME_DIGITS = 8;

type RuledJob = Pick<JobContext, 'workflow' | 'monitors'>;

const listJobInvariants = ({ workflow }: Pick<JobContext, 'workflow'>): readonly Invariant[] =>
  workflow.invariants ?? [];

const hashInvariantKey = (rule: Invariant): string =>
  sha256(toInvariantKey(rule)).slice(0, NAME_DIGITS);

/** Adapts the monitors to these rules: known rules keep theirs, new ones start empty. */
export function alignMonitors(
  before: InvariantMonitors | undefined,
  rules: readonly Invariant[],
): InvariantMonitors | undefined {
  if (rules.length === 0) return undefined;
  const names = rules.map(hashInvariantKey);
  if (before && names.join() === before.rules.join()) return before;
  const copyMonitors = (monitors: readonly Monitor[]): Monitor[] =>
    names.map((name) => monitors[before?.rules.indexOf(name) ?? -1] ?? NOTHING_HAPPENED);
  const prs = Object.entries(before?.prs ?? {}).map(([id, monitors]) => [
    id,
    copyMonitors(monitors),
  ]);
  return {
    ...(before?.held === undefined ? {} : { held: before.held }),
    rules: names,
    job: copyMonitors(before?.job ?? []),
    base: copyMonitors(before?.base ?? []),
    prs: Object.fromEntries(prs),
  };
}

const markInherited = (rules: readonly Invariant[] | undefined): Invariant[] =>
  (rules ?? []).map((rule) => ({ ...rule, from: 'inherited' }));

/** Adds the rules that the job has whatever its file says. */
function addInvariants(table: WorkflowTable, jobInvariants: readonly Invariant[]): WorkflowTable {
  if (jobInvariants.length === 0) return table;
  return { ...table, invariants: uniteInvariants(table.invariants, jobInvariants) };
}

/** The prepared table, plus the rules that the job brought to its workflow. */
export const mergePreparedTable = (
  { workflow }: Pick<JobContext, 'workflow'>,
  table: WorkflowTable,
): WorkflowTable =>
  addInvariants(
    table,
    (workflow.invariants ?? []).filter(({ from }) => from === 'inherited'),
  );

/** The table of the new workflow, plus the rules that the job already has. */
export const mergeSwitchedTable = (
  { workflow }: Pick<JobContext, 'workflow'>,
  table: WorkflowTable,
): WorkflowTable => addInvariants(table, markInherited(workflow.invariants));

/** The rules after these facts, in this order; `prId`: the pull request they concern. */
export function recordFacts(
  context: RuledJob,
  facts: readonly string[],
  prId: string | null = null,
): Partial<JobContext> {
  const rules = listJobInvariants(context);
  const before = alignMonitors(context.monitors, rules);
  if (!before || facts.length === 0) return {};
  const step = (monitors: readonly Monitor[], fact: string): Monitor[] =>
    rules.map((rule, index) => advanceMonitor(rule, monitors[index] ?? NOTHING_HAPPENED, fact));
  let { job, base, prs } = before;
  for (const fact of facts) {
    job = step(job, fact);
    if (!isPrFact(fact)) {
      base = step(base, fact);
      prs = Object.fromEntries(Object.entries(prs).map(([id, one]) => [id, step(one, fact)]));
    } else if (prId !== null) {
      prs = { ...prs, [prId]: step(prs[prId] ?? base, fact) };
    }
  }
  return { monitors: { ...before, job, base, prs } };
}

const FACT_OF_NEWS: Partial<Record<ProviderEventKind, string>> = {
  approved: 'approved(pr)',
  check_passed: 'checks.green',
  check_failed: 'checks.red',
  merged: 'merge',
};

export function recordForgeEvent(
  context: RuledJob,
  { kind, prId }: { kind: ProviderEventKind; prId: string },
): Partial<JobContext> {
  const fact = FACT_OF_NEWS[kind];
  const factChanges = fact === undefined ? {} : recordFacts(context, [fact], prId);
  const { monitors = context.monitors } = factChanges;
  if (!monitors || !isPrEnd(kind) || !Object.hasOwn(monitors.prs, prId)) return factChanges;
  const { [prId]: _over, ...prs } = monitors.prs;
  return { monitors: { ...monitors, prs } };
}

/** A rule that forbids the act now, in this phase; null = none. */
export function findForbiddingRule(
  context: RuledJob & Pick<JobContext, 'phase'>,
  act: string,
  prId: string | null = null,
): { rule: Invariant; monitor: Monitor } | null {
  const rules = listJobInvariants(context);
  const jobMonitors = alignMonitors(context.monitors, rules);
  if (!jobMonitors) return null;
  const prMonitors = prId === null ? jobMonitors.job : (jobMonitors.prs[prId] ?? jobMonitors.base);
  const getMonitor = (index: number): Monitor => prMonitors[index] ?? NOTHING_HAPPENED;
  const index = rules.findIndex((rule, at) => !allowsAct(rule, getMonitor(at), act, context.phase));
  const rule = rules[index];
  return rule ? { rule, monitor: getMonitor(index) } : null;
}

/** The pull request that a write names; the agent may spell the repository differently. */
function resolveWrittenPrId(
  prs: readonly PrRef[],
  forge: string,
  { repo, number }: Record<string, unknown>,
) {
  const wantedRepo = String(repo ?? '').toLowerCase();
  const prRef = prs.find(
    (pr) => pr.forge === forge && pr.number === number && pr.repo.toLowerCase() === wantedRepo,
  );
  return prRef?.prId ?? `${forge}:${wantedRepo}#${String(number)}`;
}

/** What a tool call would do, in terms of rules, and to which pull request. */
function listRuleActs(
  { prs }: Pick<JobContext, 'prs'>,
  event: ToolEvent,
): { act: string; prId: string | null }[] {
  if (event.type !== 'tool.forge_write') {
    const act = `tool(${event.type.slice('tool.'.length)})`;
    const phase =
      event.type === 'tool.goto_phase' ? [{ act: toPhaseWord(event.phase), prId: null }] : [];
    return [{ act, prId: null }, ...phase];
  }
  const { operation, forge, args } = event;
  const tool = { act: `tool(${operation})`, prId: null };
  if (operation === 'create_pr') return [tool, { act: 'push', prId: null }];
  return operation === 'merge_pr'
    ? [tool, { act: 'merge', prId: resolveWrittenPrId(prs, forge, args) }]
    : [tool];
}

/** The rule that forbids a tool call now; null = none. */
export function findCallRefusal(
  context: RuledJob & Pick<JobContext, 'phase' | 'prs'>,
  event: ToolEvent,
): ReturnType<typeof findForbiddingRule> {
  for (const { act, prId } of listRuleActs(context, event)) {
    const forbidden = findForbiddingRule(context, act, prId);
    if (forbidden) return forbidden;
  }
  return null;
}

/** The rule that forbids the visit just prepared with this table. */
export function findVisitRefusal(
  context: RuledJob & Pick<JobContext, 'phase' | 'session'>,
  table: WorkflowTable,
): ReturnType<typeof findForbiddingRule> {
  if (context.session > 0) return null;
  const workflow = mergePreparedTable(context, table);
  return findForbiddingRule({ ...context, workflow }, toPhaseWord(context.phase));
}
