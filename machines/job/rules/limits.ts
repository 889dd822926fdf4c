import {
  stringifyWithCache,
  stringifyCachedValue,
} from '../../../src/shared/json/stringifyWithCache.ts';
import { MAX_PHASES, MAX_PROMPT_CHARS } from '../../../src/shared/limits/jobLimits.ts';

/**
 * Bounds of what a job's context holds. It may be 64 KiB as JSON; calls of agents are refused well
 * below that, so that the events which must never be refused (a session's end, a message, a
 * person's command) always find room.
 */

/** Most bytes of context and call together that a tool call may bring about. */
export const MAX_CONTEXT_AFTER_CALL = 49_152;
/** Most bytes of the list of work items as JSON. */
export const MAX_WORK_ITEMS_BYTES = 10_240;
/** Most pull requests of one job. */
export const MAX_PRS = 50;
/** Most forge writes of one job that wait for their answer. */
export const MAX_OPEN_WRITES = 16;
/**
 * Longest prompt of an agent for its next session, characters: the tool takes
 * {@link MAX_PROMPT_CHARS}, and marks each line.
 */
export const MAX_QUOTED_PROMPT_CHARS = 9_002;
/** Earlier escalation messages that are kept, newest last. */
export const MAX_ESCALATIONS = 20;
/** Longest earlier escalation message, characters. */
export const MAX_OLD_REASON_CHARS = 120;
/** Workflow switches that are kept, newest last. */
export const MAX_SWITCHES = 50;
/** Longest reason of a kept workflow switch, characters. */
export const MAX_SWITCH_REASON_CHARS = 80;
/**
 * How often an agent whose process died is started again without progress; the next death parks the
 * job for a developer.
 */
export const MAX_DEATHS = 3;
/**
 * Phases of a workflow whose approvals are remembered, newest last; as many as a workflow may have.
 */
export const MAX_CHECKPOINTS = MAX_PHASES;
/** How long a session may take to end for a person before the job no longer waits for it, ms. */
export const STOP_OVERDUE_MS = 15_000;

/**
 * How much longer than its own time the decision layer is waited for, ms: a crash may have come in
 * between.
 */
export const RATING_GRACE_MS = 1_000;

const encoder = new TextEncoder();

/** Bytes of a value as JSON. */
export const countJsonBytes = (value: unknown): number =>
  encoder.encode(stringifyCachedValue(value)).length;

/** Bytes of a context as JSON, most of whose members have been written before. */
export const countContextBytes = (context: object): number =>
  encoder.encode(stringifyWithCache(context)).length;
