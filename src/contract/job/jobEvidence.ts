/** Which ended jobs it is made of; null narrows nothing. */
export interface EvidenceQuery {
  /** A time that is over, or how long ago, such as `30d`. */
  since: string;
  /** Path of a workflow. */
  workflow: string | null;
  phase: string | null;
  /** Quotes to leave out. */
  offset: number;
}

/** What happened in one phase of the ended jobs of one workflow. */
export interface PhaseEvidence {
  /** The workflow with which the jobs ended. */
  workflow: string;
  phase: string;
  /** Jobs that were in it. */
  jobs: number;
  /** Visits of them all: more than jobs = some went through it again. */
  visits: number;
  /** Visits that the completion gate did not let pass. */
  gateBlocks: number;
  /** How often a person ran it again. */
  reruns: number;
  /** Visits in which the agent gave the job to a person. */
  escalations: number;
  /** Visits that ended because the agent failed, did nothing more or used up its sessions. */
  brokenOff: number;
  /** Messages of people. */
  messages: number;
  /** Reviews that asked for changes. */
  changesRequested: number;
  /** Visits that the decision layer rated, those of them that it flagged, and those that a person called bad. */
  rated: number;
  flagged: number;
  calledBad: number;
  /** Calls that guardrails and invariants refused. */
  refusals: number;
  /** What is known of the costs, dollars. */
  usd: number;
  tokens: number;
  /** Some of the jobs in which it was not smooth, the newest first. */
  examples: string[];
}

/** Words about the work of an ended job, by a person, a rule or the runner. */
export interface EvidenceQuote {
  jobId: string;
  workflow: string;
  phase: string;
  /** ISO 8601. */
  at: string;
  kind:
    | 'gate'
    | 'rerun'
    | 'escalation'
    | 'message'
    | 'changes-requested'
    | 'flag'
    | 'called-bad'
    | 'refusal';
  /** A person, a rule, `completion-gate`, `agent` or `decision-layer`. */
  by: string;
  text: string;
}

/** What the ended jobs of this runner show. */
export interface JobEvidence {
  /** ISO 8601. */
  since: string;
  /** Ended jobs that it is made of. */
  jobs: number;
  /** Older ones of the same time that are left out. */
  leftOut: number;
  phases: PhaseEvidence[];
  /** A page of them, the newest first. */
  quotes: EvidenceQuote[];
  /** How many there are in all. */
  quotesTotal: number;
}
