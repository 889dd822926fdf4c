import type { Client } from '../../../src/api/client/client.ts';
import type { ChangeSize } from './pickNextStep.ts';

/** Longest diff whose lines are counted for a button, characters. */
const MAX_COUNTED_CHARS = 500_000;

/** What a pull request changes; null where it is too large to be counted on the side. */
export async function readChangeSize(
  client: Pick<Client, 'jobPullRequestDiff'>,
  jobId: string,
  prId: string,
): Promise<ChangeSize> {
  const { text } = await client.jobPullRequestDiff(jobId, prId);
  if (text.length > MAX_COUNTED_CHARS) return null;
  // Loaded when it is needed: most jobs that are opened have no change to count.
  const { readInSlices } = await import('../changes/diff/readInSlices.ts');
  const diff = await readInSlices(text, new AbortController().signal);
  if (diff === null || diff.rest !== null) return null;
  return {
    files: diff.files.length,
    added: diff.files.reduce((sum, { added }) => sum + added, 0),
    removed: diff.files.reduce((sum, { removed }) => sum + removed, 0),
  };
}
