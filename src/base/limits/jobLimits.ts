/** Limits that the job chart enforces and that schemas, tools and the linter state in advance. */

/** Most sessions of one visit: fresh ones that an agent may ask for. */
export const SESSIONS_PER_VISIT = 10;

export const MAX_PHASES = 64;

/** Most bytes of a workflow's table as JSON: it is part of the job's context, which is bounded. */
export const MAX_WORKFLOW_BYTES = 12_288;

export const MAX_WORK_ITEMS = 100;

export const MAX_PRS_PER_ITEM = 20;

export const MAX_WORK_ITEM_TITLE_CHARS = 200;

export const MAX_SUB_RUNS = 1_000;

/** Longest prompt that is carried to a session, characters. */
export const MAX_PROMPT_CHARS = 3_000;

/** Longest reason or escalation message that a job keeps, characters; what is longer is cut. */
export const MAX_KEPT_REASON_CHARS = 1_000;

/** Longest reason that a command accepts, characters; what is longer is refused. */
export const MAX_GIVEN_REASON_CHARS = 2_000;

export const MAX_MESSAGE_CHARS = 32_000;

/** How far ahead a job can be snoozed, days. */
export const MAX_SNOOZE_DAYS = 30;

export const MAX_SEARCH_CHARS = 200;
/** Most characters of a job's description that are searched. */
export const MAX_SEARCHED_CHARS = 2_000;

/** Most ids that one query of the list of jobs names. */
export const MAX_JOB_IDS = 100;
