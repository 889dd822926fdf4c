import type { Ask } from '../schema/job/jobNeeds.ts';

/** The table of the list of jobs. Times are epoch ms. */
export interface JobListTable {
  /**
   * The list of jobs: what it is filtered, searched and sorted by. Each job writes its row in the
   * commits of its own steps. The implicit rowid is the order of creation.
   */
  job_list: {
    job_id: string;
    /** The job whose sub-run it is. */
    parent: string | null;
    kind: string;
    /** The public status. */
    status: string;
    /** How it is, whether or not it needs a person; `partial`: complete, but not all sub-runs. */
    state: 'queued' | 'working' | 'waiting' | 'failed' | 'partial' | 'complete' | 'cancelled';
    /** What a person is asked for; null = nothing. */
    ask: Ask | null;
    /** Since when `state` and `ask` are what they are. */
    since: number;
    /** When a person put the ask aside, for good or until the time of its snooze; null = not, or nothing is asked. */
    dismissed_at: number | null;
    repo: string | null;
    workflow: string;
    phase: string;
    /** Start of the title, folded, to sort by. */
    title: string;
    created_at: number;
    /** What is searched, folded. */
    text: string;
  };
  /**
   * Until when an ask that was put aside stays so. Counts only while the ask of the job is still this
   * one; one whose time has come is removed, and the ask is put back.
   */
  snoozes: {
    job_id: string;
    ask: Ask;
    /** `since` of the job's row in the list. */
    since: number;
    until: number;
  };
  /** The member of the team who asked for a job; jobs for which no name is known have no row. */
  job_creators: { job_id: string; person: string };
  /**
   * How many jobs of the list are alike. Triggers keep it; no one else writes it. A group has at
   * least one job.
   */
  job_groups: {
    state: JobListTable['job_list']['state'];
    /** Empty = nothing is asked. */
    ask: Ask | '';
    dismissed: 0 | 1;
    sub_run: 0 | 1;
    kind: string;
    /** Empty = none. */
    repo: string;
    workflow: string;
    /** The part of the status before `:`. */
    status: string;
    jobs: number;
  };
  /**
   * What the statistics count, by quarter of an hour since 1970. Triggers keep it; no one else writes
   * it. `n` is a number of jobs or sessions, or tokens in; `more` the ms that jobs took, or tokens out.
   */
  job_quarters: {
    quarter: number;
    kind:
      | ('created' | 'complete' | 'partial' | 'failed' | 'cancelled')
      | ('failed-sub-run' | 'escalated' | 'tokens' | 'unreported');
    /** Empty where it does not count by workflow. */
    workflow: string;
    n: number;
    more: number;
  };
  /**
   * What lists show of a job beside its row above: apart from it, so that a search has less to
   * read. Each job writes it in the commits of its own steps.
   */
  job_summaries: {
    job_id: string;
    /** The request, whole. */
    description: string;
    /**
     * What it waits for, or waited for last, as JSON of `Parked`; null = nothing so far. Its row above
     * knows whether it waits.
     */
    parked: string | null;
    /** Why it failed or escalated; null = it did not, or gave no reason. */
    escalation: string | null;
    /** Sub-runs that failed, and that escalated. */
    failed: number;
    escalated: number;
  };
}
