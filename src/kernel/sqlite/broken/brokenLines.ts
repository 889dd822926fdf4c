import type { JournalRow } from '../../writer.ts';
import { REPAIR } from './brokenRows.ts';
import type { FrameForm } from './frameForm.ts';

/** Tag of the line of a log in place of a frame that cannot be read. */
const BROKEN_TAG = 'broken-row';
/** Type of the note of a journal in place of a row that cannot be read. */
export const BROKEN_EVENT = 'kernel.brokenRow';

/** The data, as JSON, of the line that is shown in place of a frame. `at`: epoch ms. */
export const createBrokenLine = (
  frames: FrameForm,
  n: number,
  at: number,
  reason: string,
  stored?: string,
): string =>
  frames.formatStoreLine(at, BROKEN_TAG, `Frame ${n} cannot be read: ${reason}. ${REPAIR}`, stored);

/** The note that is shown in place of a row of a journal. */
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
