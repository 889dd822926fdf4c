import type { PhaseModel, Settings } from '../../contract/schema/runner/settings.ts';
import type { ExecutorChoice } from '../../contract/schema/runner/setUp.ts';
import type { PhaseDefinition, WorkflowTable } from '../../contract/schema/workflow/workflow.ts';
import { doesNothing } from '../definition/flowRules.ts';
import { resolvePhaseModel } from '../definition/resolvePhaseModel.ts';
import type { OpenOverlay } from './openOverlay.ts';

export { doesNothing };

export interface ExecutorKnowledge {
  settings: Pick<Settings, 'llm'>;
  /** Why an agent with this program cannot run this way, as a clause; null = no known reason. */
  lacks(model: PhaseModel, command: readonly string[] | null): string | null;
}

export interface StuckPhase extends ExecutorChoice {
  workflowPath: string;
  phase: string;
  agent: string;
  /** The reason, as a clause. */
  why: string;
}

/** The configuration key that chose a phase's executor; null = the phase. */
function findExecutorChooser(
  { llm }: ExecutorKnowledge['settings'],
  { provider, model }: PhaseDefinition,
): string | null {
  if (provider !== null) return null;
  const alias =
    model !== null && Object.hasOwn(llm.aliases, model) ? llm.aliases[model] : undefined;
  return alias === undefined || alias.provider === llm.defaultProvider
    ? 'llm.defaultProvider'
    : `llm.aliases.${model}.provider`;
}

function findStuckInTable(
  knowledge: ExecutorKnowledge,
  overlay: OpenOverlay,
  workflowPath: string,
  { phases }: WorkflowTable,
): StuckPhase[] {
  return phases.flatMap((phase) => {
    const { name, agent } = phase;
    if (agent === null || !overlay.has(agent)) return [];
    const model = resolvePhaseModel(knowledge.settings.llm, phase);
    const why = knowledge.lacks(model, overlay.agent(agent).command);
    const key = findExecutorChooser(knowledge.settings, phase);
    return why === null
      ? []
      : [{ workflowPath, phase: name, agent, provider: model.provider, key, why }];
  });
}

/**
 * Phases that cannot run, of the workflow and of its sub-runs' workflow. `seenPaths`: already checked.
 */
export function findStuckPhases(
  knowledge: ExecutorKnowledge,
  overlay: OpenOverlay,
  workflowPath: string,
  seenPaths = new Set<string>(),
): StuckPhase[] {
  if (seenPaths.has(workflowPath) || !overlay.has(workflowPath)) return [];
  seenPaths.add(workflowPath);
  const { table } = overlay.workflow(workflowPath);
  if (!table) return [];
  const next = table.coordinator?.enabled === true ? table.coordinator.subRunWorkflowPath : null;
  return [
    ...findStuckInTable(knowledge, overlay, workflowPath, table),
    ...(next === null ? [] : findStuckPhases(knowledge, overlay, next, seenPaths)),
  ];
}

export const joinWords = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;

export function describeStuckPhases(stuck: readonly StuckPhase[], workflowPath: string): string[] {
  const keys = [...new Set(stuck.map(toStuckKey))];
  return keys.map((key) => {
    const group = stuck.filter((one) => toStuckKey(one) === key);
    const [first] = group;
    if (!first) return '';
    const phases = `phase${group.length === 1 ? '' : 's'} ${joinWords(group.map(({ phase }) => phase))}`;
    const where =
      first.workflowPath === workflowPath
        ? ''
        : ` of ${first.workflowPath} (the workflow of the sub-runs)`;
    return `No agent can run the ${phases}${where}: ${group.length === 1 ? 'it uses' : 'they use'} ${first.provider}, but ${first.why}.`;
  });
}
const toStuckKey = ({ workflowPath, provider, why }: StuckPhase): string =>
  JSON.stringify([workflowPath, provider, why]);

/** The faulty choices of executors, each once. */
export function listWantingExecutors(stuck: readonly StuckPhase[]): ExecutorChoice[] {
  const byChoice = new Map(
    stuck.map(({ provider, key }) => [JSON.stringify([provider, key]), { provider, key }]),
  );
  return [...byChoice.values()];
}
