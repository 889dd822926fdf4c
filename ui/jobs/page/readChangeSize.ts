import type { Client } from '../../../src/api/client/client.ts';
import type { DiffFile } from '../changes/diff/diffFile.ts';
import type { ChangeSize } from './pickNextStep.ts';
import { readChangedFiles } from './readChangedFiles.ts';

/** How many files and lines change. */
export const countChangedLines = (
  files: readonly Pick<DiffFile, 'added' | 'removed'>[],
): NonNullable<ChangeSize> => ({
  files: files.length,
  added: files.reduce((sum, { added }) => sum + added, 0),
  removed: files.reduce((sum, { removed }) => sum + removed, 0),
});

/** What a pull request changes; null where it is too large to be counted on the side. */
export async function readChangeSize(
  client: Pick<Client, 'jobPullRequestDiff'>,
  jobId: string,
  prId: string,
): Promise<ChangeSize> {
  const files = await readChangedFiles(client, jobId, prId);
  return files && countChangedLines(files);
}
