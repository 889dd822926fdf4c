import type { PhaseDefinition, WorkflowTable } from '../../../contract/schema/workflow/workflow.ts';

/** Offered only where the phase's own list names it. */
const ONLY_LISTED: readonly string[] = ['merge_pr'];
/** Checkpoints that the proof tells apart; later ones count as approved. */
const MAX_KNOWN_CHECKPOINTS = 30;

/** A phase as the proof sees it; phases are numbered in the order of the workflow. */
export interface MappedPhase {
  name: string;
  definition: PhaseDefinition;
  hasAgent: boolean;
  /** It waits for a person at its end. */
  checkpoint: boolean;
  /** It has a checkpoint that was approved in advance. */
  inAdvance: boolean;
  /** The bit of its approval; 0 = none is known. */
  bit: number;
  /** Number of the next phase; null after the last one. */
  next: number | null;
  /** Number of the phase whose agent reads what comes in; null = none. */
  reader: number | null;
  /** Where a pull request that is over leads, when its agent waits for one. */
  after: number;
  /** The parent waits here for its sub-runs. */
  parks: boolean;
}

/** A workflow as the proof sees it. */
export interface PhaseMap {
  phases: readonly MappedPhase[];
  initial: number;
  /** Where a parent continues when its sub-runs have ended; null = none. */
  resume: number | null;
  watched: readonly string[];
  /** Whether the agent of a phase is offered a call that the job takes, by its name without a prefix. */
  offers(phase: MappedPhase, tool: string): boolean;
  /** Whether the phase's own list names it. */
  lists(phase: MappedPhase, tool: string): boolean;
}

/** The phase after a wait for a pull request: one that only waits is passed with the event. */
function findPhaseAfterWait(phases: readonly PhaseDefinition[], index: number): number {
  const next = phases[index + 1];
  if (!next) return index;
  const passes = next.agent === null && !next.interactive_checkpoint;
  return passes && phases[index + 2] ? index + 2 : index + 1;
}

/** What the proof is about besides the table. */
export interface MapOptions {
  /** Calls that rules keep to phases; default: none. */
  watched: readonly string[];
  /** Whether a person has approved a phase in advance; default: none. */
  isInAdvance(phase: string): boolean;
}

/** Null when the table lacks its initial phase: then nothing can be proved. */
export function buildPhaseMap(
  { phases, initial_phase, coordinator }: WorkflowTable,
  { watched = [], isInAdvance = () => false }: Partial<MapOptions> = {},
): PhaseMap | null {
  const numberOf = (name: string | null): number => phases.findIndex((one) => one.name === name);
  const initial = numberOf(initial_phase);
  if (initial < 0) return null;
  let checkpoints = 0;
  const mapped = phases.map((definition, index): MappedPhase => {
    const inAdvance = definition.interactive_checkpoint && isInAdvance(definition.name);
    const checkpoint = definition.interactive_checkpoint && !inAdvance;
    const bit = checkpoint && checkpoints < MAX_KNOWN_CHECKPOINTS ? 1 << checkpoints++ : 0;
    const reader = phases.slice(0, index + 1).findLastIndex(({ agent }) => agent !== null);
    return {
      name: definition.name,
      definition,
      hasAgent: definition.agent !== null,
      checkpoint,
      inAdvance,
      bit,
      next: index + 1 < phases.length ? index + 1 : null,
      reader: reader < 0 ? null : reader,
      after: findPhaseAfterWait(phases, index),
      parks: coordinator?.enabled === true && coordinator.parkPhase === definition.name,
    };
  });
  const resume = coordinator?.enabled ? numberOf(coordinator.resumePhase) : -1;
  const lists = ({ definition: { tools } }: MappedPhase, tool: string): boolean =>
    (tools ?? []).some((name) => name === tool || name.endsWith(`_${tool}`));
  return {
    phases: mapped,
    initial,
    resume: resume < 0 ? null : resume,
    watched,
    lists,
    offers: (phase, tool) =>
      phase.hasAgent &&
      (phase.definition.tools === undefined ? !ONLY_LISTED.includes(tool) : lists(phase, tool)),
  };
}
