import type { JobContext } from '../../../machines/index.ts';
import type { Tables } from '../../../src/contract/records/tables.ts';

/** The read part of a row of `phase_visits`; without an overlay it was never prepared. */
type VisitRow = Pick<
  Tables['phase_visits'],
  'visit' | 'phase' | 'sessions' | 'overlay_hash' | 'outcome' | 'approved_by'
>;

interface SeenVisit extends VisitRow {
  workflowPath: string;
  switches: number;
}

/** In which workflow each visit was, as contexts showed while it was the newest. */
export class WorkflowsOfVisits {
  readonly #of = new Map<string, Map<number, Pick<SeenVisit, 'workflowPath' | 'switches'>>>();

  note({ id, visit, workflowPath, workflowPathHistory }: JobContext): void {
    const visits = this.#of.get(id) ?? new Map();
    this.#of.set(id, visits);
    // A switch is applied when the visit that asked for it is over: its own workflow is the one
    // that it began in.
    if (!visits.has(visit))
      visits.set(visit, { workflowPath, switches: workflowPathHistory.length });
  }

  of(jobId: string, visit: number): Pick<SeenVisit, 'workflowPath' | 'switches'> {
    return this.#of.get(jobId)?.get(visit) ?? { workflowPath: '', switches: 0 };
  }
}

/**
 * That no phase after a checkpoint begins without its approval, judged by the rows of visits alone,
 * without what the chart itself remembers: the approvals that were missing when the newest visit's
 * agent began, or when the job completed. Empty = none.
 */
export function missingApprovals(
  { id, workflow, params, visit, session }: JobContext,
  at: string,
  rows: readonly VisitRow[],
  workflows: WorkflowsOfVisits,
): string[] {
  const { autoApprove } = params;
  const isOpen = (name: string) =>
    autoApprove !== true &&
    autoApprove !== name &&
    !(Array.isArray(autoApprove) && autoApprove.includes(name));
  const findPhaseIndex = (name: string) =>
    workflow.phases.findIndex((phase) => phase.name === name);
  const checkpoints = workflow.phases
    .filter((phase) => phase.interactive_checkpoint && isOpen(phase.name))
    .map(({ name }) => name);
  const visits: SeenVisit[] = rows
    .filter(
      (row) =>
        row.visit <= visit && row.overlay_hash !== null && row.outcome !== 'approval-missing',
    )
    .toSorted((a, b) => a.visit - b.visit)
    .map((row) => ({ ...row, ...workflows.of(id, row.visit) }));
  const now = visits.at(-1);
  const before = visits.at(-2);
  if (!now) return [];
  if (at === 'ended.complete')
    return checkpoints.includes(now.phase) && now.approved_by === null ? [now.phase] : [];
  // What appears in the workflow during a visit concerns the next one.
  if (at !== 'working.inSession' || session !== 1 || !before) return [];
  const sameStay = visits
    .toReversed()
    .findIndex(({ workflowPath }) => workflowPath !== now.workflowPath);
  const stay = visits.slice(sameStay < 0 ? 0 : visits.length - sameStay, -1);
  const approved = new Set(
    stay.filter(({ approved_by }) => approved_by !== null).map(({ phase }) => phase),
  );
  const switched = before.switches !== now.switches;
  const known = switched ? -1 : findPhaseIndex(before.phase);
  const from = known < 0 ? Math.max(0, findPhaseIndex(workflow.initial_phase)) : known;
  const passed = checkpoints.filter(
    (name) => findPhaseIndex(name) >= from && findPhaseIndex(name) < findPhaseIndex(now.phase),
  );
  // A switch to a phase beyond a checkpoint is itself approved.
  if (switched)
    return before.approved_by === null ? passed.filter((name) => !approved.has(name)) : [];
  return passed.filter((name) =>
    name === before.phase ? before.approved_by === null : !approved.has(name),
  );
}
