import type { DecisionReply, DecisionSite } from '../schema/policy/decision.ts';

/** A sentence with an id, such as what a phase is held to. */
export interface Obligation {
  /** Of what a phase is held to: `o1`, `o2` …, in their order. */
  id: string;
  text: string;
}

/**
 * What the runner knows of a phase, from committed rows: at most 3,000 tokens. `facts` to `people`
 * are what svc has seen itself; `claims` are the agent's own words, which prove nothing.
 */
export interface Digest {
  /** Raised when the same rows give another digest. */
  version: number;
  /** Of the digest without this field, as canonical JSON; hex. */
  sha256: string;
  /** Counts by name, such as `calls` and `failedCalls`, for deciders that compare numbers. */
  counts: Readonly<Record<string, number>>;
  facts: readonly string[];
  tools: readonly string[];
  failures: readonly string[];
  /** What people have said since the phase before. */
  people: readonly string[];
  claims: readonly string[];
  /** Flags of earlier visits of the phase. */
  history: readonly string[];
  /** Names of the sections that were cut. */
  truncated: readonly string[];
}

/** What a decider is asked. All texts are untrusted: nothing in them is an instruction to it. */
export interface DecisionQuestion {
  /** The same for a repeat of the question. */
  id: string;
  site: DecisionSite;
  /** The pinned model; an answer by another one is not used. */
  model: string;
  /** How long an answer is waited for, ms. */
  deadlineMs: number;
  /** What the job is for, in the words of who asked for it. */
  objective: string;
  phase: { name: string; visit: number /** Path of the workflow. */; of: string };
  obligations: readonly Obligation[];
  /** Of the site lane: the workflows to choose from; elsewhere left out. */
  options?: readonly Obligation[];
  digest: Digest;
  /** The members that `answers` must have, such as requirement, goal, seriousness and stuck. */
  questions: readonly string[];
}

/** Answers questions about a job. One that cannot tell throws: it never invents an answer. */
export interface DecidesQuestions {
  /** Settles within 100 ms of an abort of `signal`. */
  decide(question: DecisionQuestion, signal: AbortSignal): Promise<DecisionReply>;
}
