import type { JournalEntry } from '../../../src/contract/schema/api/replies.ts';

/** Dotted paths of the states after a step: where the last step that moved the job has led. */
export function findStateAfterStep(journal: readonly JournalEntry[], index: number): string[] {
  for (let at = Math.min(index, journal.length - 1); at >= 0; at -= 1) {
    const last = journal[at]?.path.at(-1);
    if (last !== undefined) return [last];
  }
  return [];
}
