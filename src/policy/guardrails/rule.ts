import type {
  GuardrailAct,
  GuardrailMoment,
  GuardrailSeverity,
} from '../../shared/agents/guardrails.ts';

/** What a change brings, as far as it is known. */
export interface SubjectDiff {
  /** Files that it adds, changes or removes. */
  paths: readonly string[];
  /** Lines that it adds and removes. */
  lines: number;
  /** Bytes that it adds and removes; a binary file counts whole. Left out = not known. */
  bytes?: number;
  /** The lines that it adds, without what was cut off. */
  added: readonly { path: string; text: string }[];
  /** Where its new commits hold tokens by their form. Left out = they were not searched. */
  tokens?: readonly { kind: string; place: string }[];
  /** Names what is checked: the same content has the same hash. */
  hash: string;
}

/** What a rule is asked about. */
export interface Subject {
  moment: GuardrailMoment;
  /** Name of the tool, or the operation of a write; empty at `phase.end` and `job.start`. */
  tool: string;
  /** Of the tool or the write; the params of a job that begins. */
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
    /** It is this job's own. */
    own: boolean;
    /** Empty where it is not known; so are author and checks. */
    author: string;
    draft: boolean;
    checks: string;
  } | null;
  diff: SubjectDiff | null;
  /** Accounts that have approved the newest commit. */
  approvals: readonly string[];
  /** Dollars that are left; null = no cap. */
  usdLeft: number | null;
  actor: 'agent' | 'person' | 'trigger' | 'sub-run';
  /** What the job has done so far. */
  done: { openPrs: number; commentsInHour: number };
  /** Why svc refuses it whatever the rules say; null = it does not. */
  refused: string | null;
}

/** Why a rule holds; `what` names it in words and may be empty. */
export interface Finding {
  what: string;
}

/** One rule as it is asked. */
export interface Rule {
  id: string;
  source: 'built-in' | 'config';
  enabled: boolean;
  when: readonly GuardrailMoment[];
  /** Null = every tool. */
  tools: readonly string[] | null;
  /** Null = whatever the change touches. */
  paths: readonly string[] | null;
  do: GuardrailAct;
  message: string;
  severity: GuardrailSeverity;
  /** In words for people: an expression of CEL, or what the code looks at. */
  condition: string;
  /** Of a rule with a number; null = the rule has none. */
  limit: number | null;
  /** Null = it does not hold. Throws where it cannot tell. */
  test(subject: Subject, rule: Rule): Finding | null;
  /** Of a rule that can take texts out: the text without them. */
  redact?(text: string): string;
}
