import type {
  Coordinator,
  PhaseDefinition,
  WorkflowTable,
} from '../../contract/schema/workflow/workflow.ts';
import type { Findings } from './findings.ts';
import type { KeyPath, Positions } from './positions.ts';

/**
 * A file's phases, each with its index in the list, and the ways between them besides their order.
 */
export interface Flow {
  phases: readonly { index: number; phase: PhaseDefinition }[];
  initial: string;
  /** null = none, or not enabled. */
  coordinator: Coordinator | null;
  /**
   * Phases that texts send agents to; null = a text is unknown. An agent may still decide by
   * itself, and a person may rerun a phase.
   */
  named: ReadonlySet<string> | null;
}

const toPhaseKeyPath = (index: number, key: string): KeyPath => ['phases', index, key];

/** The phase in which a parent waits is left only by the end of its sub-runs. */
function checkParkPhase(
  { phases, coordinator }: Flow,
  positions: Positions,
  findings: Findings,
): void {
  const park = phases.find(({ phase }) => phase.name === coordinator?.parkPhase);
  if (!park) return;
  const { index, phase } = park;
  if (phase.agent !== null)
    findings.addWarning(
      'park-phase-with-agent',
      positions.value(toPhaseKeyPath(index, 'agent')),
      `The parent waits in ${phase.name}, but an agent runs there first.`,
      'Write agent: null, and register the sub-runs in a phase before it.',
    );
  if (phase.interactive_checkpoint)
    findings.error(
      'checkpoint-in-park-phase',
      positions.value(toPhaseKeyPath(index, 'interactive_checkpoint')),
      `No agent shows anything in ${phase.name}: a person would be asked only when the sub-runs have ended, before ${coordinator?.resumePhase}.`,
      'Put the checkpoint on the phase that plans the sub-runs, or on the one that summarizes them.',
    );
}

/**
 * After its sub-runs the parent continues in resumePhase. If that is before parkPhase, the order of
 * phases leads back to parkPhase, whose sub-runs have ended already, and so on forever.
 */
function checkPhaseLoop(
  { phases, coordinator, named }: Flow,
  positions: Positions,
  findings: Findings,
): void {
  const findPhaseIndex = (name: string | null | undefined) =>
    phases.findIndex(({ phase }) => phase.name === name);
  const [park, resume] = [
    findPhaseIndex(coordinator?.parkPhase),
    findPhaseIndex(coordinator?.resumePhase),
  ];
  if (park < 0 || resume < 0 || resume >= park || named === null) return;
  if (phases.some(({ phase }, place) => place > park && named.has(phase.name))) return;
  findings.error(
    'no-way-to-end',
    positions.value(['coordinator', 'resumePhase']),
    `After its sub-runs the parent continues in ${coordinator?.resumePhase}, which leads to ${coordinator?.parkPhase} again; no path leads to the end.`,
    'Name a phase after parkPhase, or let a text send the agent there with goto_phase.',
  );
}

/**
 * A phase without an agent is passed at once, unless it waits for something that an earlier phase
 * started.
 */
function checkIdle({ phases, coordinator }: Flow, positions: Positions, findings: Findings): void {
  // A workflow without any agent is intended: a skeleton, or a chart to try.
  if (phases.every(({ phase }) => phase.agent === null)) return;
  // A parent waits in one and continues in the other.
  const inCoordination = [coordinator?.parkPhase, coordinator?.resumePhase];
  for (const [place, { index, phase }] of phases.entries()) {
    if (phase.agent !== null) continue;
    const agentBefore = phases.slice(0, place).some((other) => other.phase.agent !== null);
    if (phase.interactive_checkpoint) {
      if (!agentBefore && phase.name !== coordinator?.parkPhase)
        findings.addWarning(
          'checkpoint-shows-nothing',
          positions.value(toPhaseKeyPath(index, 'interactive_checkpoint')),
          `No agent runs before ${phase.name}, so a person would be asked to approve nothing.`,
          'Put the checkpoint on the phase whose agent shows a plan.',
        );
    } else if (phases[place - 1]?.phase.agent == null && !inCoordination.includes(phase.name))
      findings.addWarning(
        'idle-phase',
        positions.value(toPhaseKeyPath(index, 'agent')),
        `Phase ${phase.name} does nothing: it has no agent and no checkpoint, and the phase before it has no agent that could await an event.`,
        'Give it an agent or a checkpoint, or remove it.',
      );
  }
}

/** Phases run in order, from the initial one. */
function checkReached(
  { phases, initial, coordinator, named }: Flow,
  positions: Positions,
  findings: Findings,
): void {
  if (named === null) return;
  const ways = new Set([...named, initial, coordinator?.parkPhase, coordinator?.resumePhase]);
  for (const { index, phase } of phases) {
    if (ways.has(phase.name)) return;
    findings.addWarning(
      'unreachable-phase',
      positions.value(toPhaseKeyPath(index, 'name')),
      `Nothing leads to ${phase.name}: it comes before the first phase, ${initial}, and no text sends an agent there.`,
      `Begin with initial_phase: ${phase.name}, move the phase down, or remove it.`,
    );
  }
}

/** True if a job would end at once with nothing done: no agent, no approval, no sub-runs. */
export const doesNothing = ({
  phases,
  coordinator,
}: Pick<WorkflowTable, 'phases' | 'coordinator'>): boolean =>
  coordinator?.enabled !== true &&
  phases.every(({ agent, interactive_checkpoint }) => agent === null && !interactive_checkpoint);

/** Only for workflows that are run; one that is read or drawn may be a skeleton. */
export function checkDoesNothing(
  { phases, coordinator }: Flow,
  positions: Positions,
  findings: Findings,
): void {
  const all = phases.map(({ phase }) => phase);
  if (all.length === 0 || !doesNothing({ phases: all, coordinator })) return;
  findings.addWarning(
    'nothing-to-do',
    positions.key(['phases']),
    'A job of this workflow would end immediately: no phase has an agent or a checkpoint, and it has no sub-runs.',
    'Give one of its phases an agent. POST /jobs refuses such a job.',
  );
}

/** Checks the ways between phases, each of which is right by itself. */
export function checkFlow(flow: Flow, positions: Positions, findings: Findings): void {
  checkParkPhase(flow, positions, findings);
  checkPhaseLoop(flow, positions, findings);
  checkIdle(flow, positions, findings);
  if (flow.phases.some(({ phase }) => phase.name === flow.initial))
    checkReached(flow, positions, findings);
}
