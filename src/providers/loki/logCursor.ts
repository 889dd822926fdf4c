import { SvcError } from '../../shared/errors/errors.ts';
import type { TimeRange } from '../observability/timeRange.ts';

export type Direction = 'backward' | 'forward';

/**
 * Where the next page begins. Lines have no ids, so it is the time of the last one and how many of
 * that time were given.
 */
export interface LogPlace extends TimeRange {
  direction: Direction;
  /** Lines of the first instant of the page that were given before. */
  skip: number;
}

const FORM = /^([bf])\.(\d{1,20})\.(\d{1,20})\.(\d{1,6})$/;

/** The whole range is in it, so that `since` of the first call does not move with the clock. */
export const formatLogCursor = ({ direction, start, end, skip }: LogPlace): string =>
  `${direction === 'backward' ? 'b' : 'f'}.${start}.${end}.${skip}`;

/** Throws SvcError `bad-argument` for a text that is no cursor of ours. */
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
 * The place after a page whose last line is of the time `at`, of which the page holds `given`
 * lines.
 */
export function advanceLogPlace(place: LogPlace, at: bigint, given: number): LogPlace {
  const backward = place.direction === 'backward';
  // Loki leaves the end of a range out and takes its begin in: the last instant is asked for once
  // more, and skipped.
  const next = backward ? { ...place, end: at + 1n } : { ...place, start: at };
  const isSame = backward ? next.end === place.end : next.start === place.start;
  return { ...next, skip: isSame ? place.skip + given : given };
}
