import type { EventOf } from '../jobEvents.ts';
import { writeLogLine } from '../log.ts';

export const logResume = writeLogLine<EventOf<'job.resume'>>(
  'wake',
  (_context, { eventKey }) => `resumed (${eventKey})`,
);
export const logParkReason = writeLogLine('parked', ({ parked }) => parked?.reason ?? 'parked');

export const logRerun = writeLogLine<EventOf<'job.rerun'>>(
  'wake',
  (_context, { phase }) => `phase ${phase} is to be run again`,
);
