import type { Caller } from '../schema/runner/caller.ts';
import type { DecisionSite } from '../schema/policy/decision.ts';

/** A boolean as SQLite stores it. */
type Flag = 0 | 1;

/** What the decision layer has been asked and has answered; a part of `Tables`. */
export interface DecisionTables {
  decisions: {
    job_id: string;
    /** Within the job, such as `overseer/3/1`: visit and session. A repeat has the same. */
    key: string;
    site: DecisionSite;
    /** Epoch ms. */
    at: number;
    phase: string;
    visit: number;
    mode: 'shadow' | 'live';
    provider: string;
    /** The pinned model. */
    model: string;
    /** Null, as everything up to `ms`: it could not be asked. */
    digest_version: number | null;
    digest_sha: string | null;
    /** From the question to its outcome. */
    ms: number | null;
    /** The obligation that looks unmet; null = none, or no rating. */
    unmet: string | null;
    unmet_confidence: number | null;
    /** Probabilities and the score as they count; null = no rating. */
    goal: number | null;
    seriousness: number | null;
    stuck: number | null;
    /** The answers as they came, JSON. */
    raw: string | null;
    /** Why there is no rating. */
    skipped: string | null;
    /** Why it flags the phase; null = it does not. */
    flag: string | null;
    /**
     * What the digest was made of beside rows, JSON of `RatingFacts`, the changed files and the number
     * of the last line of the log: it can be made again.
     */
    seen: string | null;
    /** The job was paused for the flag. */
    pauses: Flag;
  };
  /** What a person thinks of a decision; it counts more than anything else. */
  decision_labels: {
    job_id: string;
    key: string;
    /** Whether the work was good, which is what the decision was about. */
    verdict: 'good' | 'bad';
    note: string | null;
    at: number;
    by: Caller;
  };
}
