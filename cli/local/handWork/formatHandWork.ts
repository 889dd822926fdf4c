import { MAX_MESSAGE_CHARS } from '../../../src/base/limits/jobLimits.ts';
import type { ChangesByHand } from './handWork.ts';

/** Room for the sentences around the diff, characters. */
const FRAME_CHARS = 1_000;
/** Most characters of the list of files. */
const MAX_SUMMARY_CHARS = 6_000;

const cut = (text: string, most: number, more: string): string =>
  text.length <= most ? text : `${text.slice(0, most)}\n${more}`;

/** The message for the agent of a job that continues after a person has worked in its checkout. */
export function formatHandWork({ reason, summary, diff }: ChangesByHand): string {
  const why = reason === null ? '' : ` The reason: ${reason.slice(0, MAX_SUMMARY_CHARS / 2)}`;
  const begin = `A person paused this job and worked in its checkout.${why}`;
  if (summary === '') return `${begin}\n\nThey changed no files.`;
  const files = cut(summary, MAX_SUMMARY_CHARS, 'More files are not listed.');
  const room = MAX_MESSAGE_CHARS - FRAME_CHARS - begin.length - files.length;
  const excerpt = cut(diff, room, 'The diff is longer; read the files.');
  return `${begin}\n\nWhat they changed is part of the checkout now. Keep it unless it contradicts the task.\n\n${files}\n\n${excerpt}`;
}
