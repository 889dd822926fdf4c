import { type ErrorCode, SvcError } from '../../base/errors/errors.ts';
import { decodeUtf8OrNull } from '../../base/text/decodeUtf8OrNull.ts';
import type { RowChange } from '../../contract/records/changes.ts';
import type { OverlayPull, OverlayPullContent } from '../../contract/schema/cloud/overlayPull.ts';
import type { OverlayRepository } from '../../contract/schema/cloud/team.ts';
import type { PrState } from '../../contract/schema/forge/pr.ts';
import { findBranch, openRepository, type Repository } from '../../git/openRepository.ts';
import { PLAIN_MODES, readFileMode } from '../../git/readFileMode.ts';
import { readCommitFile } from '../../git/readCommitFile.ts';
import { type JobRepo, resolveForge } from '../../providers/forges.ts';
import { MAX_LAYER_FILE_BYTES } from '../../workflows/overlay/layer.ts';
import { joinProposedFile } from '../../workflows/proposals/joinProposedFile.ts';
import type { ApplyPlan } from './applyPlan.ts';
import {
  formatProposalPrTitle,
  openProposalPullRequest,
  type PullRequestDeps,
  toProposalBranch,
} from './openProposalPullRequest.ts';

/** The texts of a proposal as the branch has them. */
export type MergedFiles = { path: string; text: string | null }[];

export interface TeamPullRequestDeps extends PullRequestDeps {
  now(): number;
  /** Resolves when the rows are durable. */
  commit(rows: RowChange[]): Promise<void>;
}

/** What this runner does for pull requests that change the overlay of its team. */
export interface TeamPullRequests {
  /** Whether it has the forge, and the forge could have the repository. Sends no request. */
  serves(repository: OverlayRepository): boolean;
  /**
   * Opens one; a repeat finds it. Throws SvcError: `conflict` where the texts cannot be joined with those of the branch
   * or exist there already, `forbidden` and others where the forge refuses.
   */
  open(
    pull: OverlayPull,
    content: OverlayPullContent,
    signal: AbortSignal,
  ): Promise<{ number: number; url: string }>;
  readState(pull: OverlayPull & { number: number }): Promise<PrState>;
  /** Throws SvcError `conflict` where a file is no text that the overlay can have. */
  readMerged(pull: OverlayPull, content: OverlayPullContent): Promise<MergedFiles>;
}

/** Refusals that another attempt at the same forge may not get. */
const PASSING: ReadonlySet<ErrorCode> = new Set([
  'unreachable',
  'rate-limited',
  'temporarily-unavailable',
  'store-failed',
  'stopping',
]);

/** Whether the same attempt may succeed later. */
export const isPassingForgeError = (error: unknown): boolean =>
  !(error instanceof SvcError) || PASSING.has(error.code);

const toRepo = ({ forge, repository }: OverlayRepository): JobRepo => ({
  slug: repository,
  provider: forge,
});

const toRepositoryPath = ({ folder }: OverlayRepository, path: string): string =>
  folder === null ? path : `${folder}/${path}`;

/** The first pull request of a proposal has the branch of the proposal, each further one its own. */
const toPullBranch = ({ proposalId, attempt }: OverlayPull): string =>
  attempt === 1 ? toProposalBranch(proposalId) : `${toProposalBranch(proposalId)}-${attempt}`;

const formatPullBody = (
  { proposalId, hash }: OverlayPull,
  { description, jobId, author }: OverlayPullContent,
): string =>
  [
    description.trim(),
    `Proposal \`${proposalId}\`${jobId === null ? '' : ` of the job \`${jobId}\``} for the overlay of the team, approved in svc. ${author} applies it; its hash is \`${hash}\`. The merge makes the next version of the overlay.`,
  ].join('\n\n');

async function planFiles(
  repository: OverlayRepository,
  { files }: OverlayPullContent,
  present: (path: string) => Promise<string | null>,
): Promise<ApplyPlan> {
  const plan: { path: string; before: string | null; after: string | null }[] = [];
  for (const file of files) {
    const path = toRepositoryPath(repository, file.path);
    const before = await present(path);
    const { merged, conflicts } = joinProposedFile(file, before);
    const [first] = conflicts;
    if (first)
      throw new SvcError(
        'conflict',
        `${path} in ${repository.repository} has other text at line ${first.line}, where the proposal changes it too. Look at both, then reject it or ask for a new one.`,
      );
    plan.push({ path, before, after: merged });
  }
  return plan;
}

/** null = the commit has no such file. Throws SvcError `conflict` for what no file of the overlay can be. */
async function readMergedText(
  git: Repository,
  { commit, path }: { commit: string; path: string },
  slug: string,
): Promise<string | null> {
  const refuse = (why: string): never => {
    throw new SvcError(
      'conflict',
      `The pull request is merged, but ${path} in ${slug} ${why}, so no version was made. Repair it there, and propose the text again.`,
    );
  };
  const mode = await readFileMode(git, { commit, path });
  if (mode === null) return null;
  if (!PLAIN_MODES.has(mode)) refuse('is a link or a folder');
  const bytes = await readCommitFile(git, { commit, path, maxBytes: MAX_LAYER_FILE_BYTES });
  if (bytes === null) return null;
  if (bytes === 'too-long') return refuse('is too long for the overlay');
  return decodeUtf8OrNull(bytes) ?? refuse('is not UTF-8 text');
}

export function createTeamPullRequests(deps: TeamPullRequestDeps): TeamPullRequests {
  const { forges } = deps;
  return {
    serves: ({ forge, repository }) => forges.get(forge)?.serves(repository) ?? false,
    async open(pull, content, signal) {
      const { repository, proposalId, attempt } = pull;
      const pullRequest = {
        id: proposalId,
        repo: toRepo(repository),
        head: toPullBranch(pull),
        base: repository.branch ?? '',
        title: formatProposalPrTitle(content),
        body: formatPullBody(pull, content),
        jobId: content.jobId ?? proposalId,
      };
      const { pr, rows } = await openProposalPullRequest(deps, pullRequest, {
        at: deps.now(),
        effectId: `overlay-pull.${proposalId}.${attempt}`,
        signal,
        plan: (present) => planFiles(repository, content, present),
      });
      await deps.commit(rows);
      return { number: pr.number, url: pr.url };
    },
    async readState({ repository, number }) {
      const forge = resolveForge(forges, toRepo(repository));
      return (await forge.pullRequest(repository.repository, number)).state;
    },
    async readMerged({ repository }, { files }) {
      const slug = repository.repository;
      const source = await resolveForge(forges, toRepo(repository)).source(slug, { fresh: true });
      if (!source) throw new SvcError('not-found', `The forge has not cloned ${slug}.`);
      const git = openRepository(source.path);
      const branch = repository.branch ?? source.defaultBranch;
      const commit = await findBranch(git, branch);
      if (commit === undefined)
        throw new SvcError('not-found', `${slug} has no branch ${branch} any more.`);
      const merged: MergedFiles = [];
      for (const { path } of files) {
        const place = { commit, path: toRepositoryPath(repository, path) };
        merged.push({ path, text: await readMergedText(git, place, slug) });
      }
      return merged;
    },
  };
}
