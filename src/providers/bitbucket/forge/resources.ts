export interface Account {
  /**
   * `user` for people; everything else is a program: `app_user` for apps and access tokens, `team`.
   */
  type: string;
  /** In braces; the only permanent and unique name of an account. */
  uuid: string;
  account_id?: string;
  /** Freely chosen, so not unique. Access tokens have none. */
  nickname?: string;
  display_name?: string;
}

export interface Participant {
  user: Account;
  role: 'PARTICIPANT' | 'REVIEWER';
  approved: boolean;
  state: 'approved' | 'changes_requested' | null;
  participated_on: string | null;
}

export interface Tip {
  branch: { name: string };
  /** The hash has 12 characters; null = the branch is gone. */
  commit: { hash: string } | null;
}

export interface PullRequest {
  id: number;
  title: string;
  summary?: { raw: string };
  state: 'OPEN' | 'MERGED' | 'DECLINED' | 'SUPERSEDED';
  draft?: boolean;
  links: { html: { href: string } };
  /** null: the account is gone. */
  author: Account | null;
  created_on: string;
  updated_on: string;
  comment_count?: number;
  /** `repository` null: the fork is gone. */
  source: Tip & { repository?: { full_name: string } | null };
  destination: Tip & { repository: { full_name: string } };
  merge_commit: { hash: string } | null;
  closed_by: Account | null;
  /** Not in lists. */
  participants?: Participant[];
}

/** A text where the number is beyond 2^53. */
export type CommentId = number | string;

export interface Comment {
  id: CommentId;
  content: { raw: string };
  user: Account | null;
  created_on: string;
  deleted: boolean;
  /** A draft, not visible to others. */
  pending?: boolean;
  parent?: { id: CommentId };
  inline?: { path: string; from: number | null; to: number | null; outdated?: boolean };
  /** Of the first comment of a thread. */
  resolution?: object | null;
  links: { html: { href: string } };
}

export interface BuildStatus {
  key: string;
  name?: string | null;
  state: 'SUCCESSFUL' | 'FAILED' | 'INPROGRESS' | 'STOPPED';
  url?: string | null;
  updated_on: string;
  links?: { commit?: { href: string } };
}

export interface MergeCheck {
  type: string;
  status: 'PASSED' | 'FAILED' | 'PENDING' | 'SKIPPED' | 'UNKNOWN';
  blocking?: boolean;
  /** Of `git_mergeability_check`: `clean`, `conflicts`, `merge_impossible`. */
  reason?: string | null;
  /** Of `standard_merge_check`: `minimum_approvals` and the like. */
  check?: { kind?: string };
}

export interface Activity {
  update?: { date: string; source?: { commit: { hash: string } | null } };
}

export interface Repository {
  full_name: string;
  description?: string;
  is_private: boolean;
  links: { html: { href: string } };
  /** null while it has no commit. */
  mainbranch: { name: string } | null;
}

export interface Commit {
  hash: string;
  message: string;
}

/** Bitbucket's answer while a merge outlasts its request. */
export interface MergeTask {
  task_status?: 'PENDING' | 'SUCCESS';
  merge_result?: PullRequest;
}
