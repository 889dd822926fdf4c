import type { PhaseDefinition } from '../../contract/schema/workflow/workflow.ts';
import { listGotoPhases } from './gotoRule.ts';
import type { Flow } from './flowRules.ts';
import type { Findings } from './findings.ts';
import type { Positions } from './positions.ts';

/** The tool by which an agent sets what the next phase waits for. */
const AWAIT = 'await_event';
/** A call, not a mention: `register_sub_run {`, `finalize_sub_runs({})`. */
const REGISTERS = /\b(?:register_sub_run|finalize_sub_runs)`?\s*\(?\s*\{/;

/** What a workflow's agents are given besides the declarations of its phases. */
export interface AgentTexts {
  /** The text of the workflow, which every agent gets. */
  body: string;
  /**
   * The text of an agent; null = unknown: the file is missing, or the agent is a program, which may
   * do anything.
   */
  readAgentText(agent: string): string | null;
}

/** Both texts that a phase's agent reads; null = one is unknown. */
function joinPhaseTexts(
  { agent }: PhaseDefinition,
  { body, readAgentText }: AgentTexts,
): string | null {
  const own = agent === null ? null : readAgentText(agent);
  return own === null ? null : `${body}\n${own}`;
}

/**
 * A phase without an agent waits only for what the agent before it awaits: otherwise the job passes
 * it at once.
 */
function checkAwaited(
  { phases, coordinator, named }: Flow,
  texts: AgentTexts,
  positions: Positions,
  findings: Findings,
): void {
  for (const [place, { index, phase }] of phases.entries()) {
    const before = phases[place - 1]?.phase;
    if (phase.agent !== null || phase.interactive_checkpoint || !before) continue;
    if (phase.name === coordinator?.parkPhase || phase.name === coordinator?.resumePhase) continue;
    const text = joinPhaseTexts(before, texts);
    if (text === null || REGISTERS.test(text) || named?.has(phase.name)) continue;
    const isTold = text.includes(AWAIT);
    const mayCall = before.tools?.some((name) => name.endsWith(AWAIT)) ?? true;
    if (isTold && mayCall) continue;
    findings.addWarning(
      'wait-not-awaited',
      positions.value(['phases', index, 'agent']),
      isTold
        ? `Phase ${phase.name} waits for nothing: the tools of the phase before it, ${before.name}, do not include ${AWAIT}.`
        : `Phase ${phase.name} waits for nothing: the text of the agent before it, ${before.agent}, never calls ${AWAIT}.`,
      isTold
        ? `Add ${AWAIT} to the tools of ${before.name}.`
        : `Have that agent call ${AWAIT} before it ends its turn, or remove the phase.`,
    );
  }
}

/** Words that make a sentence conditional. */
const CONDITION =
  /\b(if|when|whenever|unless|until|while|where|whether|once|otherwise|else|in case|only|after|either|or)\b|\|/i;

/** The phase that always follows; null = it depends, or a text is unknown. */
function findCertainNextPhase(
  place: number,
  { phases }: Flow,
  { body, readAgentText }: AgentTexts,
): string | null {
  const phase = phases[place]?.phase;
  const own = phase?.agent == null ? null : readAgentText(phase.agent);
  if (!phase || own === null || phase.interactive_checkpoint) return null;
  const goals = new Set([...listGotoPhases(own), ...listGotoPhases(body)]);
  const [goal] = goals;
  if (goal === undefined) return phases[place + 1]?.phase.name ?? null;
  return goals.size > 1 || CONDITION.test(own) || listGotoPhases(body).length > 0 ? null : goal;
}

/**
 * Agents whose texts send them to each other unconditionally never end. A checkpoint or a wait in
 * between stops them.
 */
function checkTextLoop(
  flow: Flow,
  texts: AgentTexts,
  positions: Positions,
  findings: Findings,
): void {
  const places = new Map(flow.phases.map(({ phase }, place) => [phase.name, place]));
  const next = flow.phases.map((_, place) => findCertainNextPhase(place, flow, texts));
  const visitedIndexes: number[] = [];
  for (let at = places.get(flow.initial); at !== undefined; at = places.get(next[at] ?? '')) {
    const first = visitedIndexes.indexOf(at);
    if (first === -1) {
      visitedIndexes.push(at);
      continue;
    }
    const cycle = visitedIndexes.slice(first);
    const last = flow.phases[cycle.at(-1) ?? 0];
    const names = [...cycle, at].map((place) => flow.phases[place]?.phase.name);
    findings.addWarning(
      'no-way-to-end',
      positions.value(['phases', last?.index ?? 0, 'agent']),
      `The agents' texts form an endless loop: ${names.join(' -> ')}.`,
      `Let ${last?.phase.agent} say when it does not call goto_phase, so that the job can end.`,
    );
    return;
  }
}

/**
 * Sub-runs of a workflow without an enabled coordinator are refused, and nothing waits for them.
 */
function checkRegisters(
  { phases, coordinator }: Flow,
  declared: boolean,
  texts: AgentTexts,
  positions: Positions,
  findings: Findings,
): void {
  if (coordinator !== null) return;
  const registering = phases.find(({ phase }) =>
    REGISTERS.test(joinPhaseTexts(phase, texts) ?? ''),
  );
  if (!registering) return;
  findings.addWarning(
    'sub-runs-not-enabled',
    positions.value(declared ? ['coordinator', 'enabled'] : ['phases', registering.index, 'agent']),
    `The text of ${registering.phase.agent} registers sub-runs, but ${declared ? 'coordinator.enabled is false' : 'the workflow has no coordinator'}: they are refused, and nothing waits for them.`,
    declared ? 'Write enabled: true.' : 'Add coordinator with enabled: true, or change the text.',
  );
}

/**
 * Conflicts between the phases and what the texts tell their agents. `declared`: the workflow has a
 * coordinator, enabled or not.
 */
export function checkAgentFlow(
  flow: Flow,
  declared: boolean,
  texts: AgentTexts,
  positions: Positions,
  findings: Findings,
): void {
  checkAwaited(flow, texts, positions, findings);
  checkTextLoop(flow, texts, positions, findings);
  checkRegisters(flow, declared, texts, positions, findings);
}
