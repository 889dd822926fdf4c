import type { JournalRow } from '../../kernel/writer.ts';
import { isLastingError, toErrorMessage } from '../../base/errors/errors.ts';
import type { JobRepo } from '../../providers/forges.ts';
import type { Diagnostic } from '../../contract/schema/workflow/diagnostic.ts';
import type { WorkflowTable } from '../../contract/schema/workflow/workflow.ts';
import type { ResolvedOverlay } from '../../jobs/workspace/jobOverlays.ts';
import type { Workplace } from '../../jobs/workspace/workplace.ts';

interface PhaseOverlay {
  resolved: ResolvedOverlay;
  table: WorkflowTable;
  /** Why it is not the newest state of the layers; null = it is. */
  problem: string | null;
}

export class UnusableWorkflow extends Error {
  readonly diagnostics: Diagnostic[];

  constructor(workflowPath: string, diagnostics: Diagnostic[]) {
    const places = diagnostics.map(
      ({ file, line, column, message, hint }) => `${file}:${line}:${column} ${message} ${hint}`,
    );
    super(
      `${workflowPath} is not valid: ${places.join('; ')} Check it with: svc workflow lint <folder>`,
    );
    this.diagnostics = diagnostics;
  }
}

/** Hash of the layers that the job was last prepared with, from the journal; null = none. */
export function findKeptLayersHash(rows: readonly Pick<JournalRow, 'event'>[]): string | null {
  const last = rows.findLast(({ event }) => event.type === 'phase.prepared')?.event;
  return last && 'layers' in last && typeof last.layers === 'string' ? last.layers : null;
}

interface PhaseOverlayRequest {
  jobId: string;
  repo: JobRepo | null;
  workflowPath: string;
  phase: string;
  /** Oldest first. */
  journal(): readonly Pick<JournalRow, 'event'>[];
}

/**
 * The current layers or, if they cannot be used, those that the job was last prepared with: a
 * person's mistake does not stop a running job. Throws the error of the newest state if nothing was
 * kept.
 */
export async function resolvePhaseOverlay(
  workplace: Pick<Workplace, 'overlay' | 'readKeptOverlay'>,
  { jobId, repo, workflowPath, phase, journal }: PhaseOverlayRequest,
): Promise<PhaseOverlay> {
  try {
    return await requireUsableOverlay(await workplace.overlay(repo), workflowPath);
  } catch (error) {
    if (!(error instanceof UnusableWorkflow) && !isLastingError(error)) throw error;
    const hash = findKeptLayersHash(journal());
    const resolvedOverlay = hash === null ? null : await workplace.readKeptOverlay(jobId, hash);
    if (resolvedOverlay === null) throw error;
    const before = await requireUsableOverlay(resolvedOverlay, workflowPath).catch(() => null);
    if (!before?.table.phases.some(({ name }) => name === phase)) throw error;
    return { ...before, problem: toErrorMessage(error) };
  }
}

async function requireUsableOverlay(
  resolved: ResolvedOverlay,
  workflowPath: string,
): Promise<PhaseOverlay> {
  const { table, diagnostics } = resolved.overlay.workflow(workflowPath);
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  if (!table || errors.length > 0) throw new UnusableWorkflow(workflowPath, errors);
  return { resolved, table, problem: null };
}
