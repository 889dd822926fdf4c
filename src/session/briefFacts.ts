import type { OpenOverlay } from '../authoring/overlay/openOverlay.ts';
import type { Artefact, Job } from '../schema/job.ts';
import type { WorkflowTable } from '../schema/workflow.ts';
import { type Forges, ownForge } from '../providers/forges.ts';
import type { Workplace } from '../workplace/workplace.ts';
import { FINDINGS_KIND } from '../workplace/artefactFiles.ts';
import { gapLines } from './gapLines.ts';
import type { BriefFacts, ShownFindings, ShownPlan } from './brief.ts';

/** Longest part of a plan that a kickoff shows, characters. */
export const MAX_PLAN_CHARS = 12_000;

type Read = (artefactId: string) => Promise<{ text: string; nextOffset: number | null }>;

interface BriefDeps {
  forges: Forges;
  job(jobId: string): Job;
  workplace: Pick<Workplace, 'checkoutFacts' | 'checkoutGaps'>;
  /** First page of the text of an artefact that this job may read. */
  read: Read;
}

/**
 * The newest plan of a job that was approved: the newest one up to the newest visit whose
 * checkpoint was. Where none was, the newest one of all.
 */
export function newestPlan(
  job: Pick<Job, 'artefacts' | 'phases'>,
): { artefact: Artefact; approved: boolean } | null {
  const plans = job.artefacts.filter(({ kind }) => kind === 'plan-md');
  const visit = job.phases.findLast(({ approvedBy }) => approvedBy !== null)?.visit ?? 0;
  const approved = plans.findLast((plan) => plan.visit <= visit);
  const artefact = approved ?? plans.at(-1);
  return artefact ? { artefact, approved: approved !== undefined } : null;
}

/** The beginning of a text up to the end of a line, and the byte at which the rest begins. */
function beginning(
  text: string,
  nextOffset: number | null,
): Pick<ShownPlan, 'text' | 'nextOffset'> {
  if (text.length <= MAX_PLAN_CHARS) return { text, nextOffset };
  const lineEnd = text.lastIndexOf('\n', MAX_PLAN_CHARS) + 1;
  // Not between the two halves of one character.
  const cut = lineEnd > 0 ? lineEnd : MAX_PLAN_CHARS;
  const shown = text.slice(0, cut).replace(/[\ud800-\udbff]$/, '');
  return { text: shown, nextOffset: Buffer.byteLength(shown) };
}

async function shownPlan({ job: find, read }: BriefDeps, job: Job): Promise<ShownPlan | null> {
  const own = newestPlan(job);
  const ofCampaign = own === null && job.parentJobId !== null;
  const found = ofCampaign ? newestPlan(find(job.parentJobId ?? '')) : own;
  if (found === null) return null;
  const { artefact, approved } = found;
  try {
    const { text, nextOffset } = await read(artefact.id);
    const { id: artefactId, title } = artefact;
    return { artefactId, title, approved, ofCampaign, ...beginning(text, nextOffset) };
  } catch {
    // It is not text, or no longer stored: a session begins without it too.
    return null;
  }
}

async function shownFindings({ read }: BriefDeps, job: Job): Promise<ShownFindings | null> {
  const findings = job.artefacts.findLast(({ kind }) => kind === FINDINGS_KIND);
  if (!findings) return null;
  try {
    const { text, nextOffset } = await read(findings.id);
    return { artefactId: findings.id, ...beginning(text, nextOffset) };
  } catch {
    // The store has lost it: a session begins without it too.
    return null;
  }
}

/** The base branch of a job's repository, by what is on this disk; null = it is not known. */
export async function baseBranch(forges: Forges, job: Job): Promise<string | null> {
  const slug = job.repoSlug;
  if (slug === null) return null;
  try {
    const source = await ownForge(forges, job.params)?.source(slug, { fresh: false });
    return source?.defaultBranch || null;
  } catch {
    return null;
  }
}

/** The facts of a session that begins a conversation. */
export async function briefFacts(
  deps: BriefDeps,
  given: Pick<BriefFacts, 'job' | 'base' | 'cwd' | 'isCheckout' | 'done' | 'tool' | 'hasTool'> & {
    table: WorkflowTable | null;
  },
): Promise<BriefFacts> {
  const { job, cwd, isCheckout } = given;
  const [plan, found, lacks] = await Promise.all([
    shownPlan(deps, job),
    isCheckout ? deps.workplace.checkoutFacts(cwd) : { branch: null, checks: [] },
    isCheckout ? deps.workplace.checkoutGaps(cwd).then(gapLines) : [],
  ]);
  const findings = plan === null ? await shownFindings(deps, job) : null;
  return {
    ...given,
    plan,
    findings,
    ...found,
    lacks,
    forge: ownForge(deps.forges, job.params)?.id ?? null,
  };
}

/** What an agent's text says under its heading "Done"; null = nothing. */
export const doneOf = (agent: ReturnType<OpenOverlay['agent']>['body'] | null): string | null =>
  agent === null ? null : (DONE.exec(agent)?.[1]?.trim() ?? null);

const DONE = /^## Done[ \t]*\n([\s\S]*?)(?=\n#{1,2} |$(?![\s\S]))/m;
