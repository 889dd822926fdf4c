import type { ForgeRepo, PrDetail, PrStatus } from './forge.ts';
import type { RequestKey } from '../job/requestKey.ts';

/** What people can do with pull requests of the local forge. */
export interface LocalPullRequests {
  forgeRepos(): Promise<ForgeRepo[]>;
  pullRequests(repo: string): Promise<PrStatus[]>;
  pullRequest(repo: string, number: number): Promise<PrDetail>;
  pullRequestDiff(repo: string, number: number): Promise<string>;
  approvePullRequest(
    repo: string,
    number: number,
    author: string,
    request?: RequestKey,
  ): Promise<PrStatus>;
  commentPullRequest(
    repo: string,
    number: number,
    author: string,
    body: string,
    request?: RequestKey,
  ): Promise<PrStatus>;
  /** Throws SvcError `conflict` where `head` is given and is not the newest commit. */
  mergePullRequest(
    repo: string,
    number: number,
    by: { author: string; head?: string },
    request?: RequestKey,
  ): Promise<PrStatus>;
  /** `reason`: empty for none. Throws SvcError `conflict` where it is closed or merged already. */
  closePullRequest(
    repo: string,
    number: number,
    by: { author: string; reason: string },
    request?: RequestKey,
  ): Promise<PrStatus>;
  /**
   * Throws SvcError `conflict` where it is open, was merged, a branch of it is gone, or nothing is
   * left to merge.
   */
  reopenPullRequest(
    repo: string,
    number: number,
    by: { author: string; reason: string },
    request?: RequestKey,
  ): Promise<PrStatus>;
}
