import type { Client } from '../../../src/api/client/client.ts';
import type { DiffFile } from '../changes/diff/diffFile.ts';

/** Longest diff that is read beside something else, characters. */
const MAX_READ_CHARS = 500_000;

/** What a pull request changes, file by file; null where it is too large to be read on the side. */
export async function readChangedFiles(
  client: Pick<Client, 'jobPullRequestDiff'>,
  jobId: string,
  prId: string,
): Promise<readonly DiffFile[] | null> {
  const { text } = await client.jobPullRequestDiff(jobId, prId);
  if (text.length > MAX_READ_CHARS) return null;
  // Loaded when it is needed: most jobs that are opened have no change to read.
  const { readInSlices } = await import('../changes/diff/readInSlices.ts');
  const diff = await readInSlices(text, new AbortController().signal);
  return diff === null || diff.rest !== null ? null : diff.files;
}
