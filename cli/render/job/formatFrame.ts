import type { Ansis } from 'ansis';
import { describeJson } from '../../../src/base/json/describeJson.ts';
import type { StreamFrame } from '../../../src/api/client/stream.ts';
import type { LogFrame, StateFrame } from '../../../src/contract/schema/job/frames.ts';
import { toColouredLine, toPrintableLine } from '../text/toPrintable.ts';
import { formatLocalTime } from '../text/formatTimeWithAgo.ts';

const hasTexts = (data: unknown, ...names: string[]): boolean =>
  typeof data === 'object' &&
  data !== null &&
  names.every(
    (name) =>
      name in data && typeof Object.entries(data).find(([key]) => key === name)?.[1] === 'string',
  );

export const isLogFrame = (data: unknown): data is LogFrame =>
  hasTexts(data, 'at', 'phase', 'from', 'line');
export const isStateFrame = (data: unknown): data is StateFrame =>
  hasTexts(data, 'at', 'event', 'status', 'phase');

const formatClockTime = (at: string): string => formatLocalTime(at).slice(11);

/**
 * Who wrote a line, before its text: the runner, or the agent and its tools. No text reaches this
 * column, so that a line of an agent cannot pass for one of the runner.
 */
const OWN = '*';
const OTHERS = '|';

/** One line for a person, with its line feed; null for frames that say nothing to them (usage). */
export function formatFrame(frame: StreamFrame, color: Ansis): string | null {
  const { data } = frame;
  if (frame.kind === 'log' && isLogFrame(data)) {
    const own = data.from === 'runner';
    const place = color.dim(`${formatClockTime(data.at)} ${toPrintableLine(data.phase)}`);
    // JSON of a program in words; --json has it as it is.
    const brief = own ? null : describeJson(data.line);
    const text = toPrintableLine(brief ?? data.line);
    if (own && data.tag === 'restart')
      return `${place} ${color.red.bold(`${OWN} ---- ${text} ----`)}\n`;
    const tag =
      data.tag === null ? '' : (own ? color.yellow : color.dim)(`[${toPrintableLine(data.tag)}] `);
    // Colours would tear a line that is read by a program.
    const line = own
      ? color.cyan(text)
      : color.level > 0 && brief === null
        ? toColouredLine(data.line)
        : text;
    return `${place} ${own ? color.cyan(OWN) : color.dim(OTHERS)} ${tag}${line}\n`;
  }
  if (frame.kind === 'state' && isStateFrame(data)) {
    const parkingNote = data.parked === null ? '' : ` - ${toPrintableLine(data.parked.reason)}`;
    return `${color.dim(formatClockTime(data.at))} ${data.incomplete === undefined ? color.bold(`= ${toPrintableLine(data.status)}`) : color.bold.yellow(`= ${toPrintableLine(data.incomplete)}`)}${parkingNote}\n`;
  }
  if (
    frame.kind === 'artefact' &&
    hasTexts(data, 'at', 'title') &&
    typeof data === 'object' &&
    data !== null &&
    'title' in data
  ) {
    return `${color.dim('artefact')} ${toPrintableLine(String(data.title))}\n`;
  }
  if (frame.kind === 'gap')
    return `${color.yellow('Some lines are missing here: they were deleted.')}\n`;
  return null;
}
