import type { EventOf } from '../jobEvents.ts';
import { log } from '../log.ts';

/** Lines of the log of a parked job. */
export const wokenBy = log<EventOf<'job.resume'>>(
  'wake',
  (_context, { eventKey }) => `resumed (${eventKey})`,
);
export const reason = log('parked', ({ parked }) => parked?.reason ?? 'parked');

export const rerunLine = log<EventOf<'job.rerun'>>(
  'wake',
  (_context, { phase }) => `phase ${phase} is to be run again`,
);
