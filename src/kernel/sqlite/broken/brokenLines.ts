import type { JournalRow } from '../../writer.ts';
import { REPAIR } from './brokenRows.ts';
import type { FrameForm } from './frameForm.ts';

/** Tag of the log line in place of an unreadable frame. */
const BROKEN_TAG = 'broken-row';
/** Type of the note in place of an unreadable journal row. */
export const BROKEN_EVENT = 'kernel.brokenRow';

/** Data (JSON) of the line in place of a frame. `at`: epoch ms. */
export const createBrokenLine = (
  frames: FrameForm,
  n: number,
  at: number,
  reason: string,
  storedText?: string,
): string =>
  frames.formatStoreLine(
    at,
    BROKEN_TAG,
    `Frame ${n} cannot be read: ${reason}. ${REPAIR}`,
    storedText,
  );

export const createBrokenNote = (
  actor: string,
  seq: number,
  at: number,
  reason: string,
): JournalRow => ({
  actor,
  seq,
  at: Number.isFinite(new Date(at).getTime()) ? at : 0,
  event: {
    type: BROKEN_EVENT,
    message: `Row ${seq} of the journal cannot be read: ${reason}. ${REPAIR}`,
  },
  path: [],
  effects: [],
  note: true,
});
