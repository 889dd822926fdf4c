import {
  stringifyWithCache,
  stringifyCachedValue,
} from '../../../src/base/json/stringifyWithCache.ts';
import { MAX_PHASES, MAX_PROMPT_CHARS } from '../../../src/base/limits/jobLimits.ts';

/**
 * Limits of a job's context, which may be 64 KiB as JSON. Agents' calls are refused well below
 * that, so that events which must not be refused (a session's end, a message, a person's command)
 * always fit.
 */

/** Most bytes of context and call together for a tool call to be accepted. */
export const MAX_CONTEXT_AFTER_CALL = 49_152;
/** Most bytes of the list of work items as JSON. */
export const MAX_WORK_ITEMS_BYTES = 10_240;
/** Most pull requests of one job. */
export const MAX_PRS = 50;
/** Most forge writes of one job that wait for their answer. */
export const MAX_OPEN_WRITES = 16;
/** Longest agent prompt for its next session, characters: {@link MAX_PROMPT_CHARS} plus marks. */
export const MAX_QUOTED_PROMPT_CHARS = 9_002;
/** Earlier escalation messages kept, newest last. */
export const MAX_ESCALATIONS = 20;
/** Longest earlier escalation message, characters. */
export const MAX_OLD_REASON_CHARS = 120;
/** Workflow switches kept, newest last. */
export const MAX_SWITCHES = 50;
/** Longest reason of a kept workflow switch, characters. */
export const MAX_SWITCH_REASON_CHARS = 80;
/** Restarts of a dead agent without progress; the next death parks the job for a developer. */
export const MAX_DEATHS = 3;
/** Phases whose approvals are remembered, newest last; as many as a workflow may have. */
export const MAX_CHECKPOINTS = MAX_PHASES;
/** How long the job waits for a session to end for a person, ms. */
export const STOP_OVERDUE_MS = 15_000;

/** How much longer than its own timeout the decision layer is awaited, ms, in case of a crash. */
export const RATING_GRACE_MS = 1_000;

const encoder = new TextEncoder();

export const countJsonBytes = (value: unknown): number =>
  encoder.encode(stringifyCachedValue(value)).length;

/** Bytes of a context as JSON; memoized per member, as most were written before. */
export const countContextBytes = (context: object): number =>
  encoder.encode(stringifyWithCache(context)).length;
