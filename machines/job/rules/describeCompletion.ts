import type { JobContext } from '../jobContext.ts';

/** For people: `complete, 2 sub-runs failed, 1 escalated` if some sub-runs did not succeed. */
export function describeCompletion({ failed, escalated }: JobContext['subRunFailures']): string {
  const words = [
    ...(failed > 0 ? [`${failed} ${failed === 1 ? 'sub-run' : 'sub-runs'} failed`] : []),
    ...(escalated > 0
      ? [`${escalated} ${failed > 0 ? '' : escalated === 1 ? 'sub-run ' : 'sub-runs '}escalated`]
      : []),
  ];
  return ['complete', ...words].join(', ');
}
