import type { Monitor } from '../../src/shared/invariants/monitor.ts';

/**
 * What the rules about the job (`workflow.invariants`) remember of its journal: a number for each
 * rule, in their order.
 */
export interface InvariantMonitors {
  /** Names the rules that the numbers are of, in their order. */
  rules: string[];
  /** Of everything that has happened in the job. */
  job: Monitor[];
  /** Of everything but pull requests: what the next one begins with. */
  base: Monitor[];
  /** Of each open pull request: what has happened to it, and in the job. */
  prs: Record<string, Monitor[]>;
  /** Id of the rule that held the job back last; left out = none has. */
  held?: string;
}
