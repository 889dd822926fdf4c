import type { PhaseDefinition, WorkflowTable } from '../../../contract/schema/workflow/workflow.ts';

/** Tools that are offered only if the phase's own list names them. */
const ONLY_LISTED: readonly string[] = ['merge_pr'];
const MAX_KNOWN_CHECKPOINTS = 30;

/** A phase for the proof; phases are numbered in the workflow's order. */
export interface MappedPhase {
  name: string;
  definition: PhaseDefinition;
  hasAgent: boolean;
  /** Waits for a person at its end. */
  checkpoint: boolean;
  /** Has a checkpoint that was approved in advance. */
  inAdvance: boolean;
  /** The bit of its approval; 0 = none. */
  bit: number;
  next: number | null;
  /** Number of the phase whose agent reads incoming messages; null = none. */
  reader: number | null;
  /** The phase after the end of an awaited pull request. */
  after: number;
  /** The parent waits here for its sub-runs. */
  parks: boolean;
}

export interface PhaseMap {
  phases: readonly MappedPhase[];
  initial: number;
  /** Where a parent continues after its sub-runs; null = none. */
  resume: number | null;
  watched: readonly string[];
  offers(phase: MappedPhase, tool: string): boolean;
  lists(phase: MappedPhase, tool: string): boolean;
}

/** The phase after a wait for a pull request: a phase that only waits is passed with the event. */
function findPhaseAfterWait(phases: readonly PhaseDefinition[], index: number): number {
  const next = phases[index + 1];
  if (!next) return index;
  const passes = next.agent === null && !next.interactive_checkpoint;
  return passes && phases[index + 2] ? index + 2 : index + 1;
}

/** Input of the proof beside the table. */
export interface MapOptions {
  /** Calls that rules limit to phases; default: none. */
  watched: readonly string[];
  /** Whether a person has approved a phase in advance; default: none. */
  isInAdvance(phase: string): boolean;
}

/** null if the table lacks its initial phase: then nothing can be proved. */
export function buildPhaseMap(
  { phases, initial_phase, coordinator }: WorkflowTable,
  { watched = [], isInAdvance = () => false }: Partial<MapOptions> = {},
): PhaseMap | null {
  const findPhaseNumber = (name: string | null): number =>
    phases.findIndex((one) => one.name === name);
  const initial = findPhaseNumber(initial_phase);
  if (initial < 0) return null;
  let checkpoints = 0;
  const mappedPhases = phases.map((definition, index): MappedPhase => {
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
  const resume = coordinator?.enabled ? findPhaseNumber(coordinator.resumePhase) : -1;
  const lists = ({ definition: { tools } }: MappedPhase, tool: string): boolean =>
    (tools ?? []).some((name) => name === tool || name.endsWith(`_${tool}`));
  return {
    phases: mappedPhases,
    initial,
    resume: resume < 0 ? null : resume,
    watched,
    lists,
    offers: (phase, tool) =>
      phase.hasAgent &&
      (phase.definition.tools === undefined ? !ONLY_LISTED.includes(tool) : lists(phase, tool)),
  };
}
