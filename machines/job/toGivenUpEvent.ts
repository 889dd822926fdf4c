import type { DurableEvent, GivenUpEffect } from '../../src/kernel/chart.ts';
import type { RunnerEvent } from './jobEvents.ts';
import type { JobAnswer } from './ports.ts';

/** The forge whose writes are part of the outcome's commit: a write given up there was not done. */
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
 * The event for an effect that was given up. A forge or tracker write whose outcome could not be
 * reported may have been done, so it is `undecided`: the agent would repeat a refused one.
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
