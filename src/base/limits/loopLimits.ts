/**
 * What comes round without progress, over the visits of a job. `state`: a phase ends with the same
 * files, pull requests, work items and parameters as before. `tests`: a phase ends with the same
 * failing tests. `wakes`: an event has woken the job, and it waits again with nothing changed.
 */
export const LOOP_RULES = ['state', 'tests', 'wakes'] as const;
export type LoopRule = (typeof LOOP_RULES)[number];

/** At which loop the agent is warned, and at which the job is parked; 0 = never. */
export interface LoopLimit {
  warn: number;
  park: number;
}

export type LoopLimits = Readonly<Record<LoopRule, LoopLimit>>;

export const DEFAULT_LOOP_LIMITS: LoopLimits = {
  state: { warn: 2, park: 3 },
  tests: { warn: 2, park: 4 },
  wakes: { warn: 2, park: 4 },
};

/**
 * Sessions in sequence of one account that have ended at once with an error: at which one the job's
 * log warns, and at which one the account takes none for a while; 0 = never.
 */
export const DEFAULT_START_LIMIT: LoopLimit = { warn: 3, park: 5 };

/**
 * How often something repeats within a session before its agent is warned; 0 = never. `calls`: the
 * same call with the same answer; `errors`: the same error of a tool; `pingPong`: the same two calls
 * in turn; `silence`: turns without any call; `folds`: folds of the conversation in a row that free
 * hardly anything.
 */
export interface CallLimits {
  calls: number;
  errors: number;
  pingPong: number;
  silence: number;
  folds: number;
}

export const DEFAULT_CALL_LIMITS: CallLimits = {
  calls: 3,
  errors: 3,
  pingPong: 3,
  silence: 3,
  folds: 2,
};
