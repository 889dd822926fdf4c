/** Type of jobs that look at ended jobs and propose changes of workflows, agents, skills and memory. */
export const SELF_UPDATE = 'self-update';

/** The workflow whose jobs always have that type. */
const SELF_UPDATE_WORKFLOW = 'workflows/self-update.md';

/** Type of a new job: the type that its workflow fixes, else the requested one. */
export const resolveJobType = (workflowPath: string, requestedType: string): string =>
  workflowPath === SELF_UPDATE_WORKFLOW ? SELF_UPDATE : requestedType;

export const DEFAULT_EVIDENCE_SINCE = '30d';
/** Most ended jobs that evidence is made of, those that ended last. */
export const MAX_EVIDENCE_JOBS = 200;
export const EVIDENCE_QUOTES = 20;
export const MAX_QUOTE_CHARS = 500;
/** Most jobs that a sum names as examples. */
export const MAX_EVIDENCE_EXAMPLES = 5;
