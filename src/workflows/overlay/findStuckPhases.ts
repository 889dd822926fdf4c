import type { PhaseModel, Settings } from '../../contract/schema/runner/settings.ts';
import type { ExecutorChoice } from '../../contract/schema/runner/setUp.ts';
import type { PhaseDefinition, WorkflowTable } from '../../contract/schema/workflow/workflow.ts';
import { doesNothing } from '../definition/flowRules.ts';
import { resolvePhaseModel } from '../definition/resolvePhaseModel.ts';
import type { OpenOverlay } from './openOverlay.ts';

export { doesNothing };

/** What is known of executors. */
export interface ExecutorKnowledge {
  settings: Pick<Settings, 'llm'>;
  /**
   * Why an agent with this program cannot run this way, as a clause; null = no reason is
   * known.
   */
  lacks(model: PhaseModel, command: readonly string[] | null): string | null;
}

/** A phase that cannot run. */
export interface StuckPhase extends ExecutorChoice {
  workflowPath: string;
  phase: string;
  agent: string;
  /** A clause. */
  why: string;
}

/** Who chose the executor of a phase, as a key of the configuration; null = the phase. */
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
 * Phases that cannot run: of the workflow, and of the one that its sub-runs follow. `seen`
 * holds what was checked already.
 */
export function findStuckPhases(
  knowledge: ExecutorKnowledge,
  overlay: OpenOverlay,
  workflowPath: string,
  seen = new Set<string>(),
): StuckPhase[] {
  if (seen.has(workflowPath) || !overlay.has(workflowPath)) return [];
  seen.add(workflowPath);
  const { table } = overlay.workflow(workflowPath);
  if (!table) return [];
  const next = table.coordinator?.enabled === true ? table.coordinator.subRunWorkflowPath : null;
  return [
    ...findStuckInTable(knowledge, overlay, workflowPath, table),
    ...(next === null ? [] : findStuckPhases(knowledge, overlay, next, seen)),
  ];
}

/** Words of a sentence: `a, b and c`. */
export const joinWords = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;

/** One sentence for phases that fail for the same reason. */
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

/** The choices of executors that are at fault, each once. */
export function listWantingExecutors(stuck: readonly StuckPhase[]): ExecutorChoice[] {
  const byChoice = new Map(
    stuck.map(({ provider, key }) => [JSON.stringify([provider, key]), { provider, key }]),
  );
  return [...byChoice.values()];
}
