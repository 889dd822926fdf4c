import { isJsonObject } from '../../../shared/json/isJsonObject.ts';

/** How the data of frames look. */
export interface FrameForm {
  /** Why the data of a frame, as JSON, cannot be read; null = it can be. */
  explainFrameProblem(kind: string, json: string): string | null;
  /**
   * The data, as JSON, of a line of the log in which the store itself says something. `at`: epoch ms;
   * `stored`: the text that it replaces, where that is kept.
   */
  formatStoreLine(at: number, tag: string, line: string, stored?: string): string;
}

/** The object that the data of a frame are, or why they are none. */
export function parseFrameData(json: string): Record<string, unknown> | string {
  let data: unknown;
  try {
    data = JSON.parse(json);
  } catch {
    return 'data is not valid JSON';
  }
  return isJsonObject(data) ? data : 'data is not a JSON object';
}

/** ISO 8601, for every number. */
export const toStoreTime = (at: number): string =>
  new Date(Number.isFinite(new Date(at).getTime()) ? at : 0).toISOString();

/** Frames that are objects, and lines with no more than the store knows. */
export const PLAIN_FRAMES: FrameForm = {
  explainFrameProblem(_kind, json) {
    const data = parseFrameData(json);
    return typeof data === 'string' ? data : null;
  },
  formatStoreLine: (at, tag, line, stored) =>
    JSON.stringify({ at: toStoreTime(at), tag, line, ...(stored !== undefined && { stored }) }),
};
