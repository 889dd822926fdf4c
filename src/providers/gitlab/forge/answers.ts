export interface GitlabUser {
  id: number;
  username: string;
}

export interface MergeRequest {
  iid: number;
  title: string;
  description: string | null;
  web_url: string;
  /** `locked`: it is being merged. */
  state: 'opened' | 'closed' | 'locked' | 'merged';
  created_at: string;
  updated_at: string;
  merged_at: string | null;
  closed_at: string | null;
  merge_user: GitlabUser | null;
  closed_by: GitlabUser | null;
  author: GitlabUser | null;
  source_branch: string;
  target_branch: string;
  /** Newest commit of the source branch; null for a moment after it was made. */
  sha: string | null;
  /** The commits that GitLab compares; null for a moment after it was made. */
  diff_refs?: { base_sha?: string | null; head_sha?: string | null } | null;
  merge_commit_sha: string | null;
  squash_commit_sha: string | null;
  /** Not reliable while `detailed_merge_status` is being computed. */
  has_conflicts: boolean;
  /** Left out by GitLab before 15.6. */
  detailed_merge_status?: string | null;
  merge_status?: string | null;
  user_notes_count: number;
  /** Only members can comment. */
  discussion_locked?: boolean | null;
  merge_error?: string | null;
  /** `group/project!1`, as GitLab writes it. */
  references: { full: string };
  /** Not in lists. */
  head_pipeline?: Pipeline | null;
}

export interface Pipeline {
  id: number;
  sha: string;
  ref: string;
  status: string;
}

export interface GitlabNote {
  id: number;
  /** `DiffNote`: at a place in the code. */
  type: 'DiscussionNote' | 'DiffNote' | null;
  body: string;
  author: GitlabUser | null;
  created_at: string;
  /** Written by GitLab about what a user did. */
  system: boolean;
  resolvable: boolean;
  resolved?: boolean;
  position?: {
    new_path?: string | null;
    old_path?: string | null;
    new_line?: number | null;
    old_line?: number | null;
  } | null;
}

export interface Discussion {
  id: string;
  /** Oldest first. */
  notes: GitlabNote[];
}

export interface CommitStatus {
  id: number;
  name: string;
  status: string;
  target_url: string | null;
  created_at: string;
  finished_at: string | null;
  /** Not shown by older servers, which also show those of earlier pipelines. */
  pipeline_id?: number | null;
  allow_failure?: boolean;
}

export interface Approvals {
  user_has_approved: boolean;
  user_can_approve: boolean;
  approved_by: { user: GitlabUser }[];
}

export interface MrReviewer {
  user: GitlabUser;
  /** `unreviewed`, `reviewed`, `requested_changes`, `approved` and others. */
  state: string;
}

export interface Project {
  path_with_namespace: string;
  web_url: string;
  default_branch: string | null;
  visibility: string;
  description: string | null;
  id: number;
  /** Left out by a server or a licence without merge trains. */
  merge_trains_enabled?: boolean;
}

/** A merge request's place on a merge train. */
export interface TrainCar {
  merge_request: { iid: number };
  user: GitlabUser | null;
  /** `merged` at the end; before it `idle`, `fresh`, `stale` or `merging`. */
  status: string;
  /** ISO 8601: when it joined the train. */
  created_at: string;
}
