import type { Forge, PrDetail } from '../../contract/forge/forge.ts';
import { SvcError } from '../../base/errors/errors.ts';
import type { Forges } from '../../providers/forges.ts';
import { isAgentName } from '../../providers/local/describe.ts';
import { isSameCommit } from '../../providers/rest/reviewing.ts';
import type { RowReader } from '../../contract/records/rowReader.ts';
import type { Tables } from '../../contract/records/tables.ts';
import type { TypedRows } from '../../kernel/typedRows.ts';
import type { JobPullRequest, SvcApproval } from '../../contract/schema/forge/review.ts';
import type { Decision } from '../../contract/forge/review.ts';
import { toSvcApproval, toReviewView } from './reviewRows.ts';
import { mergeCommits } from '../../git/mergeCommits.ts';
import { findBranch, openRepository } from '../../git/openRepository.ts';

/** A message that asks the agent to bring a pull request up to date, for a person to edit. */
const formatRebaseRequest = (
  { prId, head, base }: { prId: string; head: string; base: string },
  files: readonly string[],
): string =>
  [
    `${prId} conflicts with ${base}. Please bring the branch ${head} up to date: fetch, rebase it onto ${base} (or merge ${base} into it, where a branch may not be rewritten), resolve the conflicts, run the tests, and push it.`,
    ...(files.length === 0 ? [] : ['', 'Files in conflict:', ...files.map((file) => `- ${file}`)]),
  ].join('\n');

/** How a merge that git cannot even try names its reason in place of files. */
const isReason = (word: string): boolean => word.startsWith('(');

/**
 * The files that keep an open pull request from being merged, found by a dry run. Empty: it can be
 * merged. Null: this is not known, or the pull request is not open.
 */
export async function listConflictFiles(forge: Forge, pr: PrDetail): Promise<string[] | null> {
  if (pr.state !== 'open' || pr.mergeable === null) return null;
  if (pr.mergeable) return [];
  try {
    const source = await forge.source(pr.repo, { fresh: true });
    if (!source) return null;
    const repository = openRepository(source.path);
    const [base, head] = [
      await findBranch(repository, pr.base),
      await findBranch(repository, pr.head),
    ];
    // The branch of a fork is in another repository.
    if (base === undefined || head === undefined || !isSameCommit(head, pr.headCommit)) return null;
    const outcome = await mergeCommits(repository, base, head, null);
    const files = 'conflicts' in outcome ? outcome.conflicts : [];
    return files.some(isReason) ? null : files;
  } catch (error) {
    // The pull request can be shown without them.
    if (error instanceof SvcError) return null;
    throw error;
  }
}

const MAX_REVIEWS = 50;

export interface OwnedPullRequest {
  mapping: Tables['pr_mappings'];
  forge: Forge;
}

/** Throws SvcError `not-found` that names the pull requests of the job. */
export function requireOwnedPullRequest(
  { rows, forges }: { rows: RowReader; forges: Forges },
  jobId: string,
  prId: string,
): OwnedPullRequest {
  const own = rows.all('pr_mappings', { job_id: jobId });
  const mapping = own.find(({ pr_id: id }) => id === prId);
  if (!mapping) {
    const ownPrs = own.map(({ pr_id: id }) => id).join(', ');
    throw new SvcError(
      'not-found',
      `${prId} is not a pull request of ${jobId}. ${ownPrs === '' ? 'It has none.' : `It has ${ownPrs}.`}`,
    );
  }
  const forge = forges.get(mapping.forge);
  if (forge) return { mapping, forge };
  throw new SvcError(
    'not-found',
    `${prId} is at ${mapping.forge}, which is not configured. Configured: ${forges.ids().join(', ')}.`,
  );
}

/** Why the account of svc cannot decide about a pull request at its forge; null = it can. */
export async function explainDecisionProblem(
  forge: Forge,
  pr: Pick<PrDetail, 'author' | 'prId'>,
  decision: Decision,
): Promise<string | null> {
  if (!forge.capabilities.remote) return null;
  const self = await forge.self();
  if (self !== null && self.toLowerCase() === pr.author.toLowerCase())
    return `${self} opened ${pr.prId}, and ${forge.id} lets no one decide about their own pull request`;
  if (forge.capabilities.decisions.includes(decision)) return null;
  return `svc cannot ${decision === 'approve' ? 'approve' : 'request changes'} at ${forge.id}`;
}

/** Newest first; the repository may be named in any form. */
export function listSvcApprovals(
  rows: Pick<TypedRows<Tables>, 'all'>,
  forge: Forge,
  pr: { repo: string; number: number; headCommit: string },
): SvcApproval[] {
  const repo = forge.canonical(pr.repo);
  return rows
    .all('svc_approvals', { forge: forge.id, number: pr.number })
    .filter((row) => forge.canonical(row.repo) === repo)
    .toSorted((a, b) => b.at - a.at)
    .map((row) => toSvcApproval(row, isSameCommit(row.head, pr.headCommit)));
}

export async function loadJobPullRequest(
  rows: RowReader,
  { mapping, forge }: OwnedPullRequest,
): Promise<JobPullRequest> {
  const pr = await forge.pullRequest(mapping.repo, mapping.number);
  const { remote, decisions } = forge.capabilities;
  const isOwn = remote || isAgentName(pr.author);
  const problems = new Map<Decision, string | null>();
  for (const decision of ['approve', 'request_changes'] as const)
    problems.set(decision, isOwn ? await explainDecisionProblem(forge, pr, decision) : null);
  const conflicts = await listConflictFiles(forge, pr);
  const reviews = rows
    .all('reviews', { job_id: mapping.job_id, pr_id: mapping.pr_id }, { order: 'at', desc: true })
    .slice(0, MAX_REVIEWS);
  return {
    ...pr,
    verdicts: [...decisions.filter((one) => problems.get(one) === null), 'comment'],
    verdictsElsewhere: [...problems.values()].find((one) => one !== null) ?? null,
    resolvable: forge.resolveThread !== undefined,
    svcApprovals: listSvcApprovals(rows, forge, pr),
    conflicts,
    rebaseRequest:
      conflicts !== null && conflicts.length > 0 ? formatRebaseRequest(pr, conflicts) : null,
    reviews: reviews.map((row) => toReviewView(row, rows)),
  };
}
