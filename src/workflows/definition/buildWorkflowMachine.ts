import type { Machine } from '../../contract/schema/workflow/machine.ts';
import type { WorkflowTable } from '../../contract/schema/workflow/workflow.ts';
import { findPhaseMentions } from './gotoRule.ts';
import type { WorkflowMeta } from './parseWorkflow.ts';
import { type NamedPhases, buildWorkflowChart } from './buildWorkflowChart.ts';

/** The instructions of the agent at this path; undefined = no layer has it. */
export type AgentText = (path: string) => string | undefined;

/**
 * Phases that an agent's instructions name, by `goto_phase` or as the `resumePhase` of an
 * `await_event`.
 */
export const createPhaseMentionReader =
  (agentText: AgentText): NamedPhases =>
  ({ agent }) => [
    ...new Set(
      findPhaseMentions(agent === null ? '' : (agentText(agent) ?? ''), 1).map(({ name }) => name),
    ),
  ];

/**
 * A workflow as a chart that can be drawn. `agentText`: default: no instructions are known.
 * `takenWays`: steps between phases that a job has taken, drawn even if no instructions name them.
 */
export function buildWorkflowMachine(
  file: string,
  { label, description }: Pick<WorkflowMeta, 'label' | 'description'>,
  table: WorkflowTable,
  agentText: AgentText = () => undefined,
  takenWays: readonly (readonly [from: string, to: string])[] = [],
): Machine {
  const phaseNames = new Set(table.phases.map(({ name }) => name));
  const namedPhases = createPhaseMentionReader(agentText);
  return {
    chart: file,
    kind: 'workflow',
    label,
    description,
    version: 1,
    versions: [],
    definition: buildWorkflowChart(table, (phase) => {
      const next = table.phases[table.phases.indexOf(phase) + 1]?.name;
      const goneTargets = takenWays.flatMap(([from, to]) =>
        from === phase.name && to !== next ? [to] : [],
      );
      return [...new Set([...namedPhases(phase), ...goneTargets])].filter(
        (name) => phaseNames.has(name) && name !== phase.name,
      );
    }),
  };
}
