import { formatCount } from '../../src/base/text/formatCount.ts';
import type { SinceSuccess } from '../../src/contract/schema/job/sinceSuccess.ts';
import { formatMinuteWithDay } from './jobText.ts';

/** Since when, and what is not about files, a sentence each. */
export function describeSinceSuccess(
  { phase, at, visits, overlay, messages, files }: SinceSuccess,
  now: number,
): string[] {
  const time = formatMinuteWithDay(at, now);
  return [
    phase === null
      ? `No phase has succeeded since the job was created at ${time}.`
      : `Since phase ${phase} ended at ${time}, ${formatCount(visits, 'visit')} of a phase began.`,
    ...(overlay ? ['The workflow, its agents, skills or memory are different.'] : []),
    ...(messages > 0 ? [`${formatCount(messages, 'message')} came.`] : []),
    files === null
      ? 'The files of the checkout cannot be compared.'
      : files.count === 0
        ? 'No file changed.'
        : `${formatCount(files.count, 'file')} changed:`,
  ];
}
