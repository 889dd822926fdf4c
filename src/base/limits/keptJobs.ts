/** How long rows of ended jobs stay in the list of a team, days; `svc cloud start --keep-jobs` sets it. */
export const KEPT_JOBS_DAYS = 365;
export const MIN_KEPT_JOBS_DAYS = 1;
export const MAX_KEPT_JOBS_DAYS = 3_650;
