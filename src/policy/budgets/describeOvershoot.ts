import type { Metering } from '../../contract/session/metering.ts';

/** How much a session can exceed its caps on dollars and tokens, as words after `by`. */
export function describeOvershoot({
  reportsUsage = 'never',
  stopsBetweenCalls = false,
}: Metering): string {
  if (reportsUsage === 'never')
    return 'any amount: its executor is not known to report tokens, so only sessions and minutes limit it';
  if (reportsUsage === 'each-turn')
    return 'the usage of the rest of the turn: its executor reports tokens at the end of each turn';
  return stopsBetweenCalls
    ? 'at most one call of its model'
    : 'the calls of its model that begin before it is interrupted';
}
