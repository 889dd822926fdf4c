/** Type of jobs that look at ended jobs and propose changes of workflows, agents, skills and memory. */
export const SELF_UPDATE = 'self-update';

/** The workflow whose jobs always have that type. */
const SELF_UPDATE_WORKFLOW = 'workflows/self-update.md';

/** Type of a job to be: that of its workflow where it has one of its own, else the one asked for. */
export const resolveJobType = (workflowPath: string, asked: string): string =>
  workflowPath === SELF_UPDATE_WORKFLOW ? SELF_UPDATE : asked;

/** The default start of evidence. */
export const DEFAULT_EVIDENCE_SINCE = '30d';
/** Most ended jobs that evidence is made of, those that ended last. */
export const MAX_EVIDENCE_JOBS = 200;
/** Quotes of one answer. */
export const EVIDENCE_QUOTES = 20;
/** Longest quote, characters. */
export const MAX_QUOTE_CHARS = 500;
/** Most jobs that a sum names as examples. */
export const MAX_EVIDENCE_EXAMPLES = 5;
