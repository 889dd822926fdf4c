import {
  type FrameForm,
  parseFrameData,
  toStoreTime,
} from '../../kernel/sqlite/broken/frameForm.ts';

const isText = (value: unknown): boolean => typeof value === 'string';

const isParking = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  'kind' in value &&
  isText(value.kind);

/** The stream of a job: lines of its log, its states, and frames of other kinds. */
export const JOB_FRAMES: FrameForm = {
  explainFrameProblem(kind, json) {
    const data = parseFrameData(json);
    if (typeof data === 'string') return data;
    if (kind === 'log')
      return isText(data.line) && (data.at === undefined || isText(data.at))
        ? null
        : 'data is not a line of a log';
    if (kind !== 'state') return null;
    const { at, state, parked } = data;
    const isState =
      isText(at) &&
      Number.isFinite(Date.parse(String(at))) &&
      Array.isArray(state) &&
      state.every(isText) &&
      (parked === undefined || parked === null || isParking(parked));
    return isState ? null : 'data is not a state of a job';
  },
  formatStoreLine: (at, tag, line, storedText) =>
    JSON.stringify({
      at: toStoreTime(at),
      phase: '',
      visit: 0,
      from: 'runner',
      tag,
      line,
      ...(storedText !== undefined && { stored: storedText }),
    }),
};
