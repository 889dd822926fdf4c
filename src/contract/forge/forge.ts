import type { RowPut } from '../records/changes.ts';
import type { Decision, ReviewWrite } from './review.ts';
import type {
  PrCheck,
  PrChecks,
  PrComment,
  PrDetail,
  PrMergeState,
  PrStatus,
} from '../schema/forge/prDetail.ts';
import type { ProviderEvent, PrMapping } from '../schema/forge/pr.ts';
import type { CheckoutContents } from './checkoutContents.ts';
import type { WorkRefs } from './workRefs.ts';

export type { PrCheck, PrChecks, PrComment, PrDetail, PrMergeState, PrStatus };

/**
 * What an operation on a forge brings about. Nothing is stored yet: the caller commits rows and
 * events at once.
 */
export interface ForgeChange {
  /** The pull request after the operation; null for operations without one. */
  pr: PrMapping | null;
  /** Answer for the tool or the HTTP reply; plain JSON. */
  result: Record<string, unknown>;
  rows: RowPut<'forge_prs' | 'forge_comments' | 'forge_reviews' | 'forge_writes'>[];
  /**
   * What the forge would report to those who watch the pull request; empty where it is asked for
   * news instead.
   */
  events: ProviderEvent[];
}

/** Who acts, when, and under which id: the same id never acts twice. */
export interface ForgeActor {
  author: string;
  /**
   * Epoch ms; also the time of commits made by the operation, so that a repeat makes the same
   * commit.
   */
  at: number;
  /**
   * Effect id or request id: an operation that was already done under it answers as it did then.
   */
  operationId: string;
}

/**
 * Arguments by operation, after validation. `repo` is a slug that the forge serves. `base` empty:
 * its default branch. `checkoutDir`: absolute path of the checkout that has the head branch; empty:
 * the forge has the branch already. `repo` of create_repo is the one to make.
 */
export interface ForgeOperations {
  create_repo: { repo: string; description: string; private: boolean };
  create_pr: {
    repo: string;
    head: string;
    base: string;
    title: string;
    body: string;
    checkoutDir: string;
    workItem: string | null;
  };
  post_pr_comment: { repo: string; number: number; body: string };
  reply_to_comment: { repo: string; number: number; commentId: string; body: string };
  /** `head`: the only commit that may be approved; left out: the newest one. */
  approve_pr: { repo: string; number: number; head?: string };
  /** Asked for by people alone; a forge that cannot do it at once is given it in parts. */
  review_pr: ReviewWrite;
  /**
   * `head`: the only commit that may be merged, or its begin; left out: the newest one as it is
   * looked at.
   */
  merge_pr: { repo: string; number: number; head?: string };
}
export type ForgeOperation = keyof ForgeOperations;

/** The operations of which the parts of a review are made. */
export type ReviewOperation = 'review_pr' | 'post_pr_comment' | 'reply_to_comment' | 'approve_pr';

/**
 * What a forge does at once of a review: all of it, or nothing. A forge that takes whole
 * reviews has one part.
 */
export type ReviewPart = {
  [K in ReviewOperation]: {
    /** Names it within the review, the same whenever the review is cut. */
    id: string;
    operation: K;
    args: ForgeOperations[K];
    /** Numbers of the comments that it brings, from 0. */
    comments: readonly number[];
    /** Whether it brings the decision. */
    decides: boolean;
  };
}[ReviewOperation];

/** What a forge can do that not every one can. Tools and polling follow it. */
export interface ForgeCapabilities {
  /**
   * Has a token and a limit of requests, and must be asked for news; one that has not tells them
   * with its own changes.
   */
  remote: boolean;
  createRepo: boolean;
  /** What a review can decide, where its account is not the author of the pull request. */
  decisions: readonly Decision[];
}

/**
 * A repository whose git objects are on this disk: the forge's own, or the mirror of a remote one.
 */
export interface ForgeRepo {
  slug: string;
  /** Absolute path. */
  path: string;
  /** Empty for a repository that cannot be read. */
  defaultBranch: string;
}

export type PrAddress = Pick<PrMapping, 'repo' | 'number'>;

/**
 * An event of a pull request, with what else decides whether a job is notified of it: its author.
 */
export interface AuthoredEvent {
  event: ProviderEvent;
  /** Done by svc itself, under whatever name. */
  own: boolean;
  /**
   * Done under the account of svc, by whom is not known: a person uses it too. Default: false.
   */
  account?: boolean;
  /** Done by a program. */
  bot: boolean;
  /** The author belongs to the repository: may write to it, or to the organisation that owns it. */
  member: boolean;
  /**
   * What names the author alone, where `event.author` is a name that anybody can take; lists of
   * authors are compared with these.
   */
  identities?: readonly string[];
}

/** What is new since it was asked before. */
export interface NewsBatch {
  /** Oldest first for each pull request. */
  news: AuthoredEvent[];
  /**
   * Those that were read and can be merged without further work: a reported conflict is over.
   * Default: unknown.
   */
  mergeable?: PrAddress[];
  /**
   * Those that were read and whose checks are not all green now; green ones bring the news
   * `check_passed`. Default: unknown.
   */
  notGreen?: PrAddress[];
  /** Those that the forge shows now; `isOpen` where it was read. Default: unknown. */
  seen?: (PrAddress & { isOpen?: boolean })[];
  /**
   * Those that it does not show any more: deleted, or not for this account; and those about which it
   * answers something that cannot be read. `why`: a clause about the pull request; default: that it
   * is not shown. Default: none is known.
   */
  unseen?: (PrAddress & { why?: string })[];
  /**
   * Those that were read, and from which not everything can come as things are. `why`: a clause;
   * `asks`: nothing comes without a person. Default: none.
   */
  hindered?: (PrAddress & { why: string; asks: boolean; isOpen: boolean })[];
  /** Those that it gave no answer about, this time. `why`: a sentence. Default: none. */
  unanswered?: (PrAddress & { why: string })[];
  /** To be called when they are stored: without it the same news are reported again. */
  confirmStored(): void;
  /** Why the poll ended early: the server, or the account. What is about one of them is no such problem. */
  problem: Error | null;
}

/**
 * A place where pull requests live. Everything that is asked of it may take a network; pages are
 * the forge's own affair.
 */
export interface Forge {
  /** Also the prefix of its tool family: `local` → `local_create_pr`. */
  id: string;
  capabilities: ForgeCapabilities;
  /** The account under which svc writes; null where every job writes under its own name. */
  self(): Promise<string | null>;
  /** Whether a repository with this name could be its own. Sends no request. */
  serves(slug: string): boolean;
  /**
   * The one form of a repository's name: equal for all names that mean the same repository. Null
   * for what cannot be a name. Sends no request.
   */
  canonical(slug: string): string | null;
  /** Names that a person can choose from, as far as they are known without asking. */
  slugs(): string[];
  /**
   * The name of the repository that an address is about; null = none of its own. Left out: it is
   * known by the site of the forge, or not at all.
   */
  repositoryAt?(address: string): Promise<string | null>;
  /** All that are on this disk. */
  repos(): Promise<ForgeRepo[]>;
  /**
   * Where the objects of a repository are on this disk. `fresh`: as the forge has them now; else as
   * they were last seen, and null for one that never was. Throws SvcError `not-found` for one that
   * is not there or that the token may not see.
   */
  source(slug: string, options: { fresh: boolean }): Promise<ForgeRepo | null>;
  /**
   * Why jobs cannot use a repository on this disk, with what to do, in sentences; null = they can. A
   * name that it does not know is not a problem of a repository. Left out: it is not looked at.
   */
  repositoryProblem?(slug: string): Promise<string | null>;
  /**
   * Removes the mirror of a repository from this disk, if the forge has every commit that it names.
   * `isInUse` is asked in one step with the removal. Answers the bytes that went (that would go, where
   * `dryRun`), or why it stays. Left out: it keeps no mirrors. Throws SvcError where it cannot be asked.
   */
  dropMirror?(
    slug: string,
    request: { dryRun: boolean; isInUse(): boolean },
  ): Promise<{ bytes: number } | { left: string }>;
  /** Where the unfinished work of jobs is kept. Left out: this forge keeps none. */
  workRefs?: WorkRefs;
  /** What checkouts need beside the repository's own objects. Left out: this forge brings nothing else. */
  contents?: CheckoutContents;
  /** Newest first. Throws SvcError `not-found` for a slug that it does not know. */
  pullRequests(repo: string): Promise<PrStatus[]>;
  /** With its comments, checks and review threads. */
  pullRequest(repo: string, number: number): Promise<PrDetail>;
  /** Oldest first. */
  comments(repo: string, number: number): Promise<PrComment[]>;
  /** Unified diff of base...head. */
  diff(repo: string, number: number): Promise<string>;
  /**
   * What has happened to these pull requests: all of it for one that was not asked about before,
   * else at least what is new. The same thing always has the same externalId. A forge that is not
   * remote has no news, and says only which of them nothing can come from. Throws SvcError `rate-limited`, `unreachable` where nothing could be
   * found out.
   */
  news(prs: readonly PrAddress[]): Promise<NewsBatch>;
  /**
   * Looks at every open pull request for what happened without us: one whose head is already in its
   * base was merged by hand, or by us right before a crash. Answers a change each. `at` is epoch
   * ms.
   */
  resync(at: number): Promise<ForgeChange[]>;
  /** Cuts a review into what the forge does at once each. Sends no request. */
  reviewParts(review: ReviewWrite): ReviewPart[];
  /**
   * Resolves a thread of comments on code, or opens it again; one that is so already stays so. Left
   * out: the forge cannot do it. Throws SvcError `not-found`.
   */
  resolveThread?(
    thread: PrAddress & { id: string; resolved: boolean },
    actor: ForgeActor,
  ): Promise<Pick<ForgeChange, 'rows'>>;
  /**
   * Closes a pull request without a merge, or opens it again. Left out: a person does it on its page.
   * Throws SvcError `conflict` where that is not possible.
   */
  setOpen?(
    change: PrAddress & { open: boolean; reason: string },
    actor: ForgeActor,
  ): Promise<ForgeChange>;
  write<K extends ForgeOperation>(
    operation: K,
    args: ForgeOperations[K],
    actor: ForgeActor,
  ): Promise<ForgeChange>;
}
