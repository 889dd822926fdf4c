import type { ChartArrow, ChartGuard, ChartNode } from '../../contract/schema/workflow/machine.ts';
import type { PhaseDefinition, WorkflowTable } from '../../contract/schema/workflow/workflow.ts';

/** Path of the final state of a workflow's chart. No phase can have this name. */
export const COMPLETE = '(complete)';

/** Phases that a phase's texts send its agent to, each once. */
export type NamedPhases = (phase: PhaseDefinition) => readonly string[];

type ChartWay = Pick<ChartArrow, 'event' | 'from' | 'targets'> & { guard?: ChartGuard };

const createChartGuard = (name: string, says: string, readsEvent = false): ChartGuard => ({
  name,
  says,
  readsEvent,
});

const APPROVED = createChartGuard(
  'approved',
  'the developer approves what the phase has shown',
  true,
);
const REJECTED = createChartGuard(
  'rejected',
  'the developer rejects what the phase has shown',
  true,
);
const GATE_PASSES = createChartGuard('gatePasses', 'no work item is pending or in-progress');
const GATE_BLOCKS = createChartGuard('gateBlocks', 'a work item is pending or in-progress');
const MERGED = createChartGuard(
  'merged',
  'a pull request of the job was merged, and no other one of its work item is open',
  true,
);
const NEWS = createChartGuard(
  'news',
  'a pull request of the job was approved, commented on or closed, or changes were asked for',
  true,
);

const AGENT = 'the agent';
const DEVELOPER = 'a developer';
const RUNNER = 'the runner';
const FORGE = 'the forge';
const DISPATCHER = 'the dispatcher of its sub-runs';

interface PhaseInChart {
  phase: PhaseDefinition;
  /** null after the last phase. */
  next: PhaseDefinition | null;
  /** The nearest phase with an agent, this one or before it: it reads incoming messages. */
  reader: PhaseDefinition | null;
  /** The phase in which the parent continues, if it waits for its sub-runs here. */
  resumePhase: string | null;
}

/** Ways on from a finished phase: to the next one, or through the completion gate to the end. */
function buildOnwardWays(
  { phase, next }: PhaseInChart,
  event: string,
  from: string | null,
  and?: ChartGuard,
): ChartWay[] {
  const way = (target: string, own?: ChartGuard): ChartWay => {
    const both = [and, own].filter((one) => one !== undefined);
    const [first] = both;
    if (!first) return { event, from, targets: [target] };
    const joined = createChartGuard(
      both.map(({ name }) => name).join(' and '),
      both.map(({ says }) => says).join(', and '),
      both.some(({ readsEvent }) => readsEvent),
    );
    return { event, from, targets: [target], guard: joined };
  };
  return next ? [way(next.name)] : [way(COMPLETE, GATE_PASSES), way(phase.name, GATE_BLOCKS)];
}

function buildPhaseWays(place: PhaseInChart, namedPhases: NamedPhases): ChartWay[] {
  const { phase, reader, resumePhase } = place;
  if (resumePhase !== null)
    return [{ event: 'subRuns.settled', from: DISPATCHER, targets: [resumePhase] }];
  const gotos = namedPhases(phase).map(
    (name): ChartWay => ({ event: 'tool.goto_phase', from: AGENT, targets: [name] }),
  );
  if (phase.interactive_checkpoint) {
    const again = reader?.name ?? phase.name;
    return [
      ...buildOnwardWays(place, 'job.resume', DEVELOPER, APPROVED),
      { event: 'job.resume', from: DEVELOPER, targets: [again], guard: REJECTED },
      { event: 'job.message', from: DEVELOPER, targets: [again] },
      ...gotos,
    ];
  }
  if (phase.agent !== null) return [...buildOnwardWays(place, 'session.ended', RUNNER), ...gotos];
  // No agent could have asked to wait, so the phase is passed immediately.
  if (!reader) return buildOnwardWays(place, '', null);
  return [
    ...buildOnwardWays(place, 'forge.event', FORGE, MERGED),
    { event: 'forge.event', from: FORGE, targets: [reader.name], guard: NEWS },
    { event: 'job.message', from: DEVELOPER, targets: [reader.name] },
  ];
}

function describePhaseWaits({ phase, reader, resumePhase }: PhaseInChart): string[] {
  if (resumePhase !== null) return ['for every sub-run to end'];
  const approval = phase.interactive_checkpoint ? ['for you to approve what it has shown'] : [];
  if (phase.agent !== null) return ['for the agent to end its turn', ...approval];
  return approval.length > 0 || !reader
    ? approval
    : ['for a review or merge of one of its pull requests, or a message'];
}

function listPhaseTags({ phase, resumePhase }: PhaseInChart): string[] {
  const kind = resumePhase !== null ? 'sub-runs' : phase.agent !== null ? 'agent' : 'wait';
  return phase.interactive_checkpoint ? [kind, 'checkpoint'] : [kind];
}

const describePhaseRunner = ({ agent, model, provider, status }: PhaseDefinition): string =>
  [agent ?? 'no agent', model && `model ${model}`, provider && `on ${provider}`, `status ${status}`]
    .filter(Boolean)
    .join(' · ');

function toPhaseState(place: PhaseInChart, namedPhases: NamedPhases): ChartNode {
  const { phase } = place;
  return {
    path: phase.name,
    name: phase.name,
    type: 'atomic',
    initial: null,
    description: describePhaseRunner(phase),
    tags: listPhaseTags(place),
    waits: describePhaseWaits(place),
    entry: phase.agent === null ? [] : [{ name: 'session.open', kind: 'outside' }],
    exit: [],
    arrows: buildPhaseWays(place, namedPhases).map(
      ({ guard: condition = null, ...way }, index) => ({
        ...way,
        id: `${phase.name}#${index}`,
        reenter: way.targets.includes(phase.name),
        guard: condition,
        effects: [],
      }),
    ),
    states: [],
  };
}

const bare = {
  description: null,
  tags: [],
  waits: [],
  entry: [],
  exit: [],
  arrows: [],
  states: [],
};

/**
 * A workflow as a chart of its phases, with the ways by phase order, checkpoints, waiting and
 * `coordinator`, and those that the texts name (`namedPhases`; default: none). What any phase can do
 * (escalate, fail, be paused, be cancelled) belongs to the chart of jobs and is left out. `initial`
 * is as in the table, even without such a phase.
 */
export function buildWorkflowChart(
  table: WorkflowTable,
  namedPhases: NamedPhases = () => [],
): ChartNode {
  const { phases, coordinator } = table;
  const states = phases.map((phase, index) => {
    const reader = phases.slice(0, index + 1).findLast(({ agent }) => agent !== null) ?? null;
    const parks = coordinator?.enabled === true && coordinator.parkPhase === phase.name;
    const resumePhase = parks ? coordinator.resumePhase : null;
    return toPhaseState(
      { phase, next: phases[index + 1] ?? null, reader, resumePhase },
      namedPhases,
    );
  });
  const complete: ChartNode = {
    ...bare,
    path: COMPLETE,
    name: 'complete',
    type: 'final',
    initial: null,
  };
  const name = 'workflow';
  return {
    ...bare,
    path: '',
    name,
    type: 'compound',
    initial: table.initial_phase,
    states: [...states, complete],
  };
}
