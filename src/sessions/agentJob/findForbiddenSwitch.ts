import type { ForbiddenCall } from './forbiddenCalls.ts';
import { type JobContext, alignMonitors, mergeSwitchedTable } from '../../../machines/index.ts';
import { bindToInvariants } from '../../workflows/definition/invariants/bindToInvariants.ts';
import type { WorkflowTable } from '../../contract/schema/workflow/workflow.ts';

/** What a call of a tool asks for; only a switch of the workflow is looked into. */
type AskedCall = { type: string } & Record<string, unknown>;

const SWITCHES: readonly string[] = ['tool.switch_workflow', 'tool.convert_to_workflow'];

/**
 * Why a job may not switch to the workflow that a call names, with the invariants of both and with
 * all that has happened in it; null = it may, or the call asks for something else.
 */
export function findForbiddenSwitch(context: JobContext, asked: AskedCall): ForbiddenCall | null {
  if (!SWITCHES.includes(asked.type)) return null;
  const { workflow, workflowPath, toPhase } = asked as AskedCall & {
    workflow: WorkflowTable;
    workflowPath: string;
    toPhase: string;
  };
  const table = mergeSwitchedTable(context, workflow);
  const rules = table.invariants ?? [];
  const monitors = alignMonitors(context.monitors, rules)?.job ?? [];
  const { rule, problem } = bindToInvariants(table, [], {
    phase: toPhase,
    opened: context.prs.length > 0,
    monitorOf: (rule) => monitors[rules.indexOf(rule)] ?? 0,
  });
  if (rule === null || problem === null) return null;
  const why = `Nothing was done: ${problem}. Stay in this workflow, switch to another phase or workflow, or call escalate. (${workflowPath})`;
  return { rule, tool: asked.type.slice('tool.'.length), why };
}
