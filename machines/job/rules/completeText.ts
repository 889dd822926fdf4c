import type { JobContext } from '../jobContext.ts';

/**
 * How a complete job is told to people: `complete, 2 sub-runs failed, 1 escalated` where not
 * everything of it succeeded.
 */
export function completeText({ failed, escalated }: JobContext['subRunFailures']): string {
  const words = [
    ...(failed > 0 ? [`${failed} ${failed === 1 ? 'sub-run' : 'sub-runs'} failed`] : []),
    ...(escalated > 0
      ? [`${escalated} ${failed > 0 ? '' : escalated === 1 ? 'sub-run ' : 'sub-runs '}escalated`]
      : []),
  ];
  return ['complete', ...words].join(', ');
}
