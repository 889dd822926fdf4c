/** When rules about what agents do are asked. */
export const GUARDRAIL_MOMENTS = [
  'tool.before',
  'write.before',
  'merge.before',
  'phase.end',
  'job.start',
] as const;
export type GuardrailMoment = (typeof GUARDRAIL_MOMENTS)[number];

/**
 * What a rule does where it holds: refuse; refuse and wait for a person; take texts out; or note it
 * and continue.
 */
export const GUARDRAIL_ACTS = ['deny', 'park', 'redact', 'note'] as const;
export type GuardrailAct = (typeof GUARDRAIL_ACTS)[number];

export const GUARDRAIL_SEVERITIES = ['low', 'medium', 'high', 'critical'] as const;
export type GuardrailSeverity = (typeof GUARDRAIL_SEVERITIES)[number];

/** Form of a rule's id, which is also the name of its script. */
export const GUARDRAIL_ID = '^[a-z][a-z0-9-]{0,63}$';
/** Most rules of the configuration. */
export const MAX_GUARDRAIL_RULES = 200;
/** Longest expression of a rule, characters. */
export const MAX_EXPRESSION_CHARS = 2000;
/** Longest message of a rule or of a script, characters. */
export const MAX_GUARDRAIL_MESSAGE_CHARS = 2000;
/** Longest run of a script, ms; also the default. */
export const MAX_SCRIPT_MS = 5000;
/** Most decisions of one answer; without a number as many as the second. */
export const MAX_DECISIONS = 500;
export const DEFAULT_DECISIONS = 50;
/** Most jobs of a dry run, those that changed last; without a number as many as the second. */
export const MAX_DRY_RUN_JOBS = 10_000;
export const DEFAULT_DRY_RUN_JOBS = 1000;
/** Most decisions that are kept of one job; the oldest that no person has allowed go first. */
export const MAX_KEPT_DECISIONS = 500;

/** How the words of a decision begin: `guardrail <id>: …`. */
const NAMED = new RegExp(`^guardrail (${GUARDRAIL_ID.slice(1, -1)}): `);

/** The rule that the words of a decision name, such as the reason of a job that waits; null = none. */
export const findNamedRule = (text: string): string | null => NAMED.exec(text)?.[1] ?? null;

/** Rules about how large a change is: a person may allow any size of it in a job. */
const SIZE_RULES: ReadonlySet<string> = new Set([
  'large-diff',
  'large-diff-bytes',
  'large-diff-files',
]);

/** Whether a person may allow any size in a job, and not only exactly one change. */
export const isSizeRule = (rule: string): boolean => SIZE_RULES.has(rule);

/** In place of the hash of what a rule was asked about: whatever it is asked about. */
export const ANY_SUBJECT = '*';
