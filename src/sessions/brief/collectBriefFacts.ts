import type { OpenOverlay } from '../../workflows/overlay/openOverlay.ts';
import type { Artefact, Job } from '../../contract/schema/job/job.ts';
import type { WorkflowTable } from '../../contract/schema/workflow/workflow.ts';
import { type Forges, findJobForge } from '../../providers/forges.ts';
import type { Workplace } from '../../jobs/workspace/workplace.ts';
import { FINDINGS_KIND } from '../../jobs/workspace/artefactFiles.ts';
import { listGapLines } from './listGapLines.ts';
import type { BriefFacts, ShownFindings, ShownPlan } from './formatBrief.ts';

/** Longest part of a plan in a kickoff, characters. */
export const MAX_PLAN_CHARS = 12_000;

/** For a job that was taken over from another machine. */
const LOST_WORK =
  'Another machine has worked on this job before and is lost. This checkout is a fresh clone at what was pushed: commits and files that were not pushed, and notes outside of the checkout, are not here. Look at what is here before you repeat earlier steps.';

type ReadArtefact = (artefactId: string) => Promise<{ text: string; nextOffset: number | null }>;

interface BriefDeps {
  forges: Forges;
  job(jobId: string): Job;
  workplace: Pick<Workplace, 'checkoutFacts' | 'checkoutGaps' | 'hasLostWork'>;
  /** First page of an artefact that this job may read. */
  read: ReadArtefact;
}

/**
 * The newest approved plan of a job: the newest one up to the last visit whose checkpoint was
 * approved. If none was approved, the newest plan.
 */
export function findNewestPlan(
  job: Pick<Job, 'artefacts' | 'phases'>,
): { artefact: Artefact; approved: boolean } | null {
  const plans = job.artefacts.filter(({ kind }) => kind === 'plan-md');
  const visit = job.phases.findLast(({ approvedBy }) => approvedBy !== null)?.visit ?? 0;
  const approvedPlan = plans.findLast((plan) => plan.visit <= visit);
  const artefact = approvedPlan ?? plans.at(-1);
  return artefact ? { artefact, approved: approvedPlan !== undefined } : null;
}

/** The beginning of a text up to a line end, and the byte at which the rest begins. */
function cutToBeginning(
  text: string,
  nextOffset: number | null,
): Pick<ShownPlan, 'text' | 'nextOffset'> {
  if (text.length <= MAX_PLAN_CHARS) return { text, nextOffset };
  const lineEnd = text.lastIndexOf('\n', MAX_PLAN_CHARS) + 1;
  // Not between the two halves of a surrogate pair.
  const cut = lineEnd > 0 ? lineEnd : MAX_PLAN_CHARS;
  const excerpt = text.slice(0, cut).replace(/[\ud800-\udbff]$/, '');
  return { text: excerpt, nextOffset: Buffer.byteLength(excerpt) };
}

async function readShownPlan({ job: find, read }: BriefDeps, job: Job): Promise<ShownPlan | null> {
  const own = findNewestPlan(job);
  const ofCampaign = own === null && job.parentJobId !== null;
  const newestPlan = ofCampaign ? findNewestPlan(find(job.parentJobId ?? '')) : own;
  if (newestPlan === null) return null;
  const { artefact, approved } = newestPlan;
  try {
    const { text, nextOffset } = await read(artefact.id);
    const { id: artefactId, title } = artefact;
    return { artefactId, title, approved, ofCampaign, ...cutToBeginning(text, nextOffset) };
  } catch {
    // Not a text, or no longer stored: a session begins without it.
    return null;
  }
}

async function readShownFindings({ read }: BriefDeps, job: Job): Promise<ShownFindings | null> {
  const findings = job.artefacts.findLast(({ kind }) => kind === FINDINGS_KIND);
  if (!findings) return null;
  try {
    const { text, nextOffset } = await read(findings.id);
    return { artefactId: findings.id, ...cutToBeginning(text, nextOffset) };
  } catch {
    // Lost by the store: a session begins without it.
    return null;
  }
}

/** The base branch of a job's repository, from this disk; null = unknown. */
export async function findBaseBranch(forges: Forges, job: Job): Promise<string | null> {
  const slug = job.repoSlug;
  if (slug === null) return null;
  try {
    const source = await findJobForge(forges, job.params)?.source(slug, { fresh: false });
    return source?.defaultBranch || null;
  } catch {
    return null;
  }
}

export async function collectBriefFacts(
  deps: BriefDeps,
  knownFacts: Pick<
    BriefFacts,
    'job' | 'base' | 'cwd' | 'isCheckout' | 'done' | 'tool' | 'hasTool'
  > & {
    table: WorkflowTable | null;
  },
): Promise<BriefFacts> {
  const { job, cwd, isCheckout } = knownFacts;
  const [plan, checkout, lacks] = await Promise.all([
    readShownPlan(deps, job),
    isCheckout ? deps.workplace.checkoutFacts(cwd) : { branch: null, checks: [] },
    isCheckout ? deps.workplace.checkoutGaps(cwd).then(listGapLines) : [],
  ]);
  const findings = plan === null ? await readShownFindings(deps, job) : null;
  return {
    ...knownFacts,
    plan,
    findings,
    ...checkout,
    lacks: deps.workplace.hasLostWork(job.id) ? [LOST_WORK, ...lacks] : lacks,
    forge: findJobForge(deps.forges, job.params)?.id ?? null,
  };
}

/** The text under the heading "Done" of an agent; null = none. */
export const readDoneHeading = (
  agent: ReturnType<OpenOverlay['agent']>['body'] | null,
): string | null => (agent === null ? null : (DONE.exec(agent)?.[1]?.trim() ?? null));

const DONE = /^## Done[ \t]*\n([\s\S]*?)(?=\n#{1,2} |$(?![\s\S]))/m;
