import type { JournalRow } from '../../writer.ts';
import { REPAIR } from './brokenRows.ts';

/** Tag of the line of a log in place of a frame that cannot be read. */
const BROKEN_TAG = 'broken-row';
/** Type of the note of a journal in place of a row that cannot be read. */
export const BROKEN_EVENT = 'kernel.brokenRow';

const isFrameObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isFrameText = (value: unknown): boolean => typeof value === 'string';

function parseFrameJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** Why the data of a frame cannot be read; null = it can be. */
export function explainFrameProblem(kind: string, json: string): string | null {
  const data = parseFrameJson(json);
  if (data === undefined) return 'data is not valid JSON';
  if (!isFrameObject(data)) return 'data is not a JSON object';
  if (kind === 'log')
    return isFrameText(data.line) && (data.at === undefined || isFrameText(data.at))
      ? null
      : 'data is not a line of a log';
  if (kind !== 'state') return null;
  const { at, state, parked } = data;
  const isState =
    isFrameText(at) &&
    Number.isFinite(Date.parse(String(at))) &&
    Array.isArray(state) &&
    state.every(isFrameText) &&
    (parked === undefined ||
      parked === null ||
      (isFrameObject(parked) && isFrameText(parked.kind)));
  return isState ? null : 'data is not a state of a job';
}

/** The data, as JSON, of the line that is shown in place of a frame. `at`: epoch ms. */
export const createBrokenLine = (n: number, at: number, reason: string, stored?: string): string =>
  JSON.stringify({
    at: new Date(Number.isFinite(new Date(at).getTime()) ? at : 0).toISOString(),
    phase: '',
    visit: 0,
    from: 'runner',
    tag: BROKEN_TAG,
    line: `Frame ${n} cannot be read: ${reason}. ${REPAIR}`,
    ...(stored !== undefined && { stored }),
  });

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
