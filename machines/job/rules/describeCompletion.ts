import type { JobContext } from '../jobContext.ts';

/**
 * How a complete job is described to people: `complete, 2 sub-runs failed, 1 escalated` if not all
 * of its sub-runs succeeded.
 */
export function describeCompletion({ failed, escalated }: JobContext['subRunFailures']): string {
  const words = [
    ...(failed > 0 ? [`${failed} ${failed === 1 ? 'sub-run' : 'sub-runs'} failed`] : []),
    ...(escalated > 0
      ? [`${escalated} ${failed > 0 ? '' : escalated === 1 ? 'sub-run ' : 'sub-runs '}escalated`]
      : []),
  ];
  return ['complete', ...words].join(', ');
}
