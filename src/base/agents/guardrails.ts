/** When the rules about agents are checked. */
export const GUARDRAIL_MOMENTS = [
  'tool.before',
  'write.before',
  'merge.before',
  'phase.end',
  'job.start',
] as const;
export type GuardrailMoment = (typeof GUARDRAIL_MOMENTS)[number];

/**
 * What a rule does when it holds: refuse; refuse and wait for a person; take texts out; or only
 * note it.
 */
export const GUARDRAIL_ACTS = ['deny', 'park', 'redact', 'note'] as const;
export type GuardrailAct = (typeof GUARDRAIL_ACTS)[number];

export const GUARDRAIL_SEVERITIES = ['low', 'medium', 'high', 'critical'] as const;
export type GuardrailSeverity = (typeof GUARDRAIL_SEVERITIES)[number];

/** Form of a rule's id, which is also the name of its script. */
export const GUARDRAIL_ID = '^[a-z][a-z0-9-]{0,63}$';
export const MAX_GUARDRAIL_RULES = 200;
export const MAX_EXPRESSION_CHARS = 2000;
export const MAX_GUARDRAIL_MESSAGE_CHARS = 2000;
/** Longest run of a script, ms; also the default. */
export const MAX_SCRIPT_MS = 5000;
/** Most decisions in one answer; also the default. */
export const MAX_DECISIONS = 500;
export const DEFAULT_DECISIONS = 50;
/** Most jobs of a dry run, those that changed last; also the default. */
export const MAX_DRY_RUN_JOBS = 10_000;
export const DEFAULT_DRY_RUN_JOBS = 1000;
/** Most decisions that are kept of one job; the oldest that no person has allowed go first. */
export const MAX_KEPT_DECISIONS = 500;

/** How the words of a decision begin: `guardrail <id>: …`. */
const NAMED = new RegExp(`^guardrail (${GUARDRAIL_ID.slice(1, -1)}): `);

/** The rule that the words of a decision name, such as the reason of a job that waits; null = none. */
export const findNamedRule = (text: string): string | null => NAMED.exec(text)?.[1] ?? null;

/** Rules about the size of a change: a person may allow a job any size. */
const SIZE_RULES: ReadonlySet<string> = new Set([
  'large-diff',
  'large-diff-bytes',
  'large-diff-files',
]);

export const isSizeRule = (rule: string): boolean => SIZE_RULES.has(rule);

/** Replaces the hash of a rule's subject: allows any subject. */
export const ANY_SUBJECT = '*';
