import type {
  GuardrailAct,
  GuardrailMoment,
  GuardrailSeverity,
} from '../../base/agents/guardrails.ts';

/** What a change brings, as far as known. */
export interface SubjectDiff {
  /** Added, changed or removed files. */
  paths: readonly string[];
  /** Added and removed lines. */
  lines: number;
  /** Added and removed bytes; a binary file counts whole. Left out = unknown. */
  bytes?: number;
  /** The added lines, without what was cut off. */
  added: readonly { path: string; text: string }[];
  /** Places of tokens, by form, in its new commits. Left out = not searched. */
  tokens?: readonly { kind: string; place: string }[];
  /** Identifies the checked content. */
  hash: string;
}

export interface Subject {
  moment: GuardrailMoment;
  /** Name of the tool, or the operation of a write; empty at `phase.end` and `job.start`. */
  tool: string;
  /** Arguments of the tool or write; the params of a starting job. */
  args: Readonly<Record<string, unknown>>;
  job: {
    /** Empty for a job that does not exist yet. */
    id: string;
    workflow: string;
    /** Empty = none. */
    repository: string;
    interactive: boolean;
    unattended: boolean;
  };
  phase: string;
  /** The pull request that is written to. */
  pr: {
    number: number;
    repository: string;
    /** Opened by this job. */
    own: boolean;
    /** Empty if unknown, as are author and checks. */
    author: string;
    draft: boolean;
    checks: string;
  } | null;
  diff: SubjectDiff | null;
  /** Accounts that approved the newest commit. */
  approvals: readonly string[];
  /** Dollars left; null = no cap. */
  usdLeft: number | null;
  actor: 'agent' | 'person' | 'trigger' | 'sub-run';
  /** What the job has done so far. */
  done: { openPrs: number; commentsInHour: number };
  /** Why svc refuses it whatever the rules say; null = it does not. */
  refused: string | null;
}

/** Why a rule holds; `what` names it and may be empty. */
export interface Finding {
  what: string;
}

export interface Rule {
  id: string;
  source: 'built-in' | 'config';
  enabled: boolean;
  when: readonly GuardrailMoment[];
  /** null = every tool. */
  tools: readonly string[] | null;
  /** null = any change. */
  paths: readonly string[] | null;
  do: GuardrailAct;
  message: string;
  severity: GuardrailSeverity;
  /** For people: a CEL expression, or what the code checks. */
  condition: string;
  /** The number of a rule; null = none. */
  limit: number | null;
  /** null = it does not hold. Throws if it cannot tell. */
  test(subject: Subject, rule: Rule): Finding | null;
  /** Removes texts, for a rule that can. */
  redact?(text: string): string;
}
