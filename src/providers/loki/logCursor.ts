import { SvcError } from '../../base/errors/errors.ts';
import type { TimeRange } from '../observability/timeRange.ts';

export type Direction = 'backward' | 'forward';

/**
 * Start of the next page. Lines have no ids, so it is the time of the last line and the number of
 * given lines of that time.
 */
export interface LogPlace extends TimeRange {
  direction: Direction;
  /** Lines of the page's first instant that were already given. */
  skip: number;
}

const FORM = /^([bf])\.(\d{1,20})\.(\d{1,20})\.(\d{1,6})$/;

/** Holds the whole range, so that `since` of the first call does not move with the clock. */
export const formatLogCursor = ({ direction, start, end, skip }: LogPlace): string =>
  `${direction === 'backward' ? 'b' : 'f'}.${start}.${end}.${skip}`;

/** Throws SvcError `bad-argument` for a text that is not a cursor of ours. */
export function parseLogCursor(cursor: string): LogPlace {
  const [, direction, start = '', end = '', skip = ''] = FORM.exec(cursor) ?? [];
  if (direction === undefined)
    throw new SvcError(
      'bad-argument',
      'cursor does not come from an earlier answer: copy it unchanged, or leave it out.',
    );
  return {
    direction: direction === 'b' ? 'backward' : 'forward',
    start: BigInt(start),
    end: BigInt(end),
    skip: Number(skip),
  };
}

/**
 * The place after a page whose last line has the time `at`, and that holds `given` lines of this
 * time.
 */
export function advanceLogPlace(place: LogPlace, at: bigint, given: number): LogPlace {
  const backward = place.direction === 'backward';
  // Loki excludes the end of a range and includes its start, so the last instant is asked for again
  // and its lines are skipped.
  const next = backward ? { ...place, end: at + 1n } : { ...place, start: at };
  const isSame = backward ? next.end === place.end : next.start === place.start;
  return { ...next, skip: isSame ? place.skip + given : given };
}
