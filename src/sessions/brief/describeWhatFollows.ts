import type { Job } from '../../contract/schema/job/job.ts';
import type { PhaseDefinition, WorkflowTable } from '../../contract/schema/workflow/workflow.ts';

interface FollowFacts {
  job: Pick<Job, 'phase'>;
  table: WorkflowTable | null;
  /** The name of a tool as the agent sees it. */
  tool(name: string): string;
  hasTool(name: string): boolean;
}

const describeNextPhase = (next: PhaseDefinition | undefined): string =>
  next === undefined
    ? 'the job completes, unless a work item is still open'
    : `the job continues with the phase ${next.name}`;

/** What happens when the agent of a phase ends its turn and has asked for nothing else. */
export function describeWhatFollows({ job, table, tool, hasTool }: FollowFacts): string[] {
  const phases = table?.phases ?? [];
  const at = phases.findIndex(({ name }) => name === job.phase);
  const phase = phases[at];
  if (!phase) return [];
  const next = phases[at + 1];
  const after = phases.slice(at + 1).find(({ agent }) => agent !== null);
  const approval = phase.interactive_checkpoint
    ? 'a developer approves what you leave behind, and then '
    : '';
  const forSubRuns = next !== undefined && next.name === table?.coordinator?.parkPhase;
  if (forSubRuns)
    return [`When you end your turn, ${approval}the job waits in ${next.name} for its sub-runs.`];
  if (next?.agent === null && !hasTool('await_event'))
    return [`When you end your turn, ${approval}${describeNextPhase(after)}.`];
  if (next?.agent === null)
    return [
      `When you end your turn after \`${tool('await_event')}\`, the job waits in ${next.name}. Without that call ${approval}${describeNextPhase(after)}.`,
    ];
  return [`When you end your turn, ${approval}${describeNextPhase(next)}.`];
}
