import { isJsonObject } from '../../../base/json/isJsonObject.ts';

/** How the data of frames look. */
export interface FrameForm {
  /** Why a frame's data (JSON) cannot be read; null = it can. */
  explainFrameProblem(kind: string, json: string): string | null;
  /**
   * The data (JSON) of a store's log line. `at`: epoch ms; `storedText`: the replaced text, if kept.
   */
  formatStoreLine(at: number, tag: string, line: string, storedText?: string): string;
}

/** A frame's data as an object, or why it cannot be read as one. */
export function parseFrameData(json: string): Record<string, unknown> | string {
  let data: unknown;
  try {
    data = JSON.parse(json);
  } catch {
    return 'data is not valid JSON';
  }
  return isJsonObject(data) ? data : 'data is not a JSON object';
}

/** ISO 8601, for any number. */
export const toStoreTime = (at: number): string =>
  new Date(Number.isFinite(new Date(at).getTime()) ? at : 0).toISOString();

/** Accepts frames that are objects; makes lines with what the store knows. */
export const PLAIN_FRAMES: FrameForm = {
  explainFrameProblem(_kind, json) {
    const data = parseFrameData(json);
    return typeof data === 'string' ? data : null;
  },
  formatStoreLine: (at, tag, line, storedText) =>
    JSON.stringify({
      at: toStoreTime(at),
      tag,
      line,
      ...(storedText !== undefined && { stored: storedText }),
    }),
};
