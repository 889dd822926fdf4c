import type { Metering } from '../../contract/session/metering.ts';

/** How much more than its caps on dollars and tokens a session can use, as words after `by`. */
export function describeOvershoot({
  reportsUsage = 'never',
  stopsBetweenCalls = false,
}: Metering): string {
  if (reportsUsage === 'never')
    return 'any amount: its executor is not known to report tokens, so that sessions and minutes alone cap it';
  if (reportsUsage === 'each-turn')
    return 'what the rest of a turn uses: its executor reports tokens at the end of each turn';
  return stopsBetweenCalls
    ? 'at most one call of its model'
    : 'the calls of its model that begin before it is interrupted';
}
