import type { Monitor } from '../../src/base/invariants/monitor.ts';

/** What `workflow.invariants` remember of the journal: one number per rule, in their order. */
export interface InvariantMonitors {
  /** The names of the rules, in the order of the numbers. */
  rules: string[];
  /** Of everything that has happened in the job. */
  job: Monitor[];
  /** State of everything except pull requests; a new pull request starts from it. */
  base: Monitor[];
  /** State per open pull request: what happened to it and in the job. */
  prs: Record<string, Monitor[]>;
  /** Id of the rule that last held the job back; left out = none. */
  held?: string;
}
