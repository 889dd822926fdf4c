import type { DurableEvent, GivenUpEffect } from '../../src/kernel/chart.ts';
import type { RunnerEvent } from './jobEvents.ts';
import type { JobAnswer } from './ports.ts';

/** The forge that writes in the commit of the outcome: what was given up there was not done. */
const COMMITS_WITH_OUTCOME = 'local';

const readEffectParam = (params: unknown, name: string): unknown =>
  typeof params === 'object' && params !== null
    ? Object.entries(params).find(([key]) => key === name)?.[1]
    : undefined;

const readNumericEffectParam = (params: unknown, name: 'visit' | 'session'): number | null => {
  const value = readEffectParam(params, name);
  return typeof value === 'number' ? value : null;
};

/**
 * The event that notifies a job of an effect that was given up. A write to a forge or tracker may
 * have been done when its port could not report the outcome: it is reported as `undecided`, because
 * the agent would take it for refused and write it again.
 */
export function toGivenUpEvent({
  effectId,
  type,
  params,
  attempts,
  error,
  code,
  why,
}: GivenUpEffect): DurableEvent {
  const key = readEffectParam(params, 'key');
  if (
    type === 'forge.write' &&
    typeof key === 'string' &&
    why !== 'port-failed' &&
    readEffectParam(params, 'forge') !== COMMITS_WITH_OUTCOME
  ) {
    const operation = String(readEffectParam(params, 'operation'));
    const message = `It is unknown whether ${operation} was done: ${error}. A person has to check; it is not repeated.`;
    return {
      type: 'forge.wrote',
      key,
      operation,
      ok: false,
      pr: null,
      result: { error: message, code: 'undecided', operationId: effectId },
    } satisfies JobAnswer;
  }
  return {
    type: 'effect.givenUp',
    effect: type,
    why,
    attempts,
    error,
    ...(code === undefined ? {} : { code }),
    visit: readNumericEffectParam(params, 'visit'),
    session: readNumericEffectParam(params, 'session'),
    key: typeof key === 'string' ? key : null,
  } satisfies RunnerEvent;
}
