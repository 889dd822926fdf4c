import { join } from 'node:path';
import { toCheckoutDir } from '../../git/checkout.ts';
import type { RowReader } from '../../contract/records/rowReader.ts';
import type { WorkflowTable } from '../../contract/schema/workflow/workflow.ts';
import type { VisitKey } from '../../contract/session/sessionRef.ts';
import type { JournalRow } from '../../kernel/writer.ts';
import type { Checkouts } from '../../jobs/workspace/checkouts/checkouts.ts';
import { copyArtefact, FINDINGS_KIND } from '../../jobs/workspace/artefactFiles.ts';
import type { Blobs } from '../../jobs/workspace/blobs.ts';
import type { JobOverlays, ResolvedOverlay } from '../../jobs/workspace/jobOverlays.ts';
import type { HadCheckout, Workplace } from '../../jobs/workspace/workplace.ts';
import { readJobRepo } from '../../providers/forges.ts';
import { resolvePhaseOverlay } from './resolvePhaseOverlay.ts';

export interface WorkplaceParts {
  workplace: Workplace;
  checkouts: Pick<Checkouts, 'forgetSetup'>;
  rows: RowReader;
  blobs: Pick<Blobs, 'path' | 'bring'>;
  /** Oldest first. */
  journal(jobId: string): readonly JournalRow[];
}

interface WantedPlace {
  jobId: string;
  workflowPath: string;
  phase: string;
  /** Of the job; `repoCheckoutAbsDir` is where its checkout was made last. */
  params: Record<string, unknown>;
}

export interface MadePlace {
  /** null = the job has no repository. */
  checkout: { dir: string; absDir: string } | null;
  /** What the log says about the checkout. */
  notes: readonly string[];
  resolved: ResolvedOverlay;
  table: WorkflowTable;
  /** Why the overlay is not the newest state of the layers; null = it is. */
  problem: string | null;
}

/**
 * Makes what an agent finds on this disk: the checkout, the overlay as files, and the findings that
 * the job begins with. What exists stays as it is, so every part may be repeated.
 */
export async function makeWorkplace(
  parts: WorkplaceParts,
  { jobId, workflowPath, phase, params }: WantedPlace,
): Promise<MadePlace> {
  const { workplace } = parts;
  const repo = readJobRepo(params);
  const had: HadCheckout = {
    recorded: params.repoCheckoutAbsDir,
    rows: () => parts.journal(jobId),
    branches: () => listPushedBranches(parts.rows, jobId, repo?.slug ?? ''),
  };
  // Before the clone, so that a crash in between leaves no clone that counts as set up.
  if (
    repo !== null &&
    !workplace.hasCheckout(join(workplace.jobDir(jobId), toCheckoutDir(repo.slug)))
  )
    await parts.checkouts.forgetSetup(jobId);
  // First: a mirror that is missing too is made here, and the overlay is read from it.
  const madeCheckout = repo === null ? null : await workplace.checkout(jobId, repo, had);
  const checkout = madeCheckout && { dir: madeCheckout.dir, absDir: madeCheckout.absDir };
  const furnishing = await furnish(
    parts,
    { jobId, workflowPath, phase, params },
    madeCheckout?.dir ?? null,
  );
  return { ...furnishing, checkout, notes: madeCheckout?.notes ?? [] };
}

/** The branches of the job's open pull requests in a repository, newest first. */
const listPushedBranches = (rows: RowReader, jobId: string, slug: string): string[] => [
  ...new Set(
    rows
      .all('pr_mappings', { job_id: jobId, state: 'open' }, { order: 'number' })
      .filter(({ repo }) => repo.toLowerCase() === slug.toLowerCase())
      .toReversed()
      .map(({ head }) => head),
  ),
];

async function furnish(
  { workplace, rows, blobs, journal }: WorkplaceParts,
  { jobId, workflowPath, phase, params }: WantedPlace,
  checkout: string | null,
): Promise<Pick<MadePlace, 'resolved' | 'table' | 'problem'>> {
  const repo = readJobRepo(params);
  const request = { jobId, repo, workflowPath, phase, journal: () => journal(jobId) };
  const phaseOverlay = await resolvePhaseOverlay(workplace, request);
  const { resolved, table } = phaseOverlay;
  await workplace.furnish(jobId, resolved.files, findContractsOwner(jobId, params, table));
  // Before the agent begins, and again if it was removed.
  const folders = { jobDir: workplace.jobDir(jobId), checkout };
  for (const findings of rows.all('artefacts', {
    job_id: jobId,
    kind: FINDINGS_KIND,
    removed_at: null,
  }))
    await copyArtefact(folders, findings, blobs);
  return phaseOverlay;
}

/**
 * Where a job publishes and reads contracts: with its parent as a sub-run, with itself as a parent,
 * else nowhere.
 */
const findContractsOwner = (
  jobId: string,
  params: Record<string, unknown>,
  table: WorkflowTable,
): string | null => {
  if (table.coordinator?.enabled === true) return jobId;
  return typeof params.parentJobId === 'string' ? params.parentJobId : null;
};

export interface SessionPlaceDeps extends WorkplaceParts {
  overlays: JobOverlays;
}

interface SessionPlace {
  resolved: ResolvedOverlay;
  /** For the log: what was made again. */
  notes: string[];
}

/**
 * The overlay of a session that is about to begin. Its visit was prepared by this process, by an
 * earlier one, or on another machine: what this disk lacks is made again. A checkout that exists is
 * used without asking its forge, which may be away.
 */
export async function findSessionPlace(
  deps: SessionPlaceDeps,
  visit: VisitKey,
  plan: WantedPlace & { checkout: string | null },
): Promise<SessionPlace> {
  const { checkout } = plan;
  const resolvedOverlay = deps.overlays.findKeptOverlay(visit);
  const isLost = checkout !== null && !deps.workplace.hasCheckout(checkout);
  if (resolvedOverlay !== undefined && !isLost) return { resolved: resolvedOverlay, notes: [] };
  const place = isLost
    ? await makeWorkplace(deps, plan)
    : { ...(await furnish(deps, plan, readCheckoutDir(plan))), notes: [] };
  deps.overlays.keep(visit, place.resolved);
  return { resolved: place.resolved, notes: [...place.notes] };
}

const readCheckoutDir = ({ params }: WantedPlace): string | null =>
  typeof params.repoCheckoutDir === 'string' ? params.repoCheckoutDir : null;
