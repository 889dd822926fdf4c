import type { RunnerLoad } from '../../cloudLink/cloudLinkOptions.ts';
import type { ConnectionParts } from './connectionParts.ts';

/** How busy the runner is, and what its process does. */
export function readRunnerLoad(
  { slots, runner }: Pick<ConnectionParts, 'slots' | 'runner'>,
  { isClosed, isStarted }: { isClosed: boolean; isStarted: boolean },
): RunnerLoad {
  const { used, limit } = slots();
  const isStopping = isClosed || runner.health().status === 'stopping';
  const state = isStopping ? 'stopping' : isStarted ? 'running' : 'starting';
  return { slots: limit, free: Math.max(0, limit - used), state };
}
