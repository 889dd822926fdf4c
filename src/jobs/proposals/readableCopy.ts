import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseProposedFiles, type ProposalRow, toProposalSummary } from './proposalRows.ts';

export const toCopyDir = (copies: string, id: string): string => join(copies, id);

const NOTE =
  'This is a copy for reading. Editing it changes nothing: svc proposals, or the page Proposals of the dashboard, decides about the proposal.\n';

/**
 * Writes a proposal as files, all or none: `proposal.json`, `description.md`, and the proposed
 * texts below `files/`.
 */
export async function writeCopy(copies: string, row: ProposalRow): Promise<void> {
  const draftDir = join(copies, `.making-${row.id}`);
  // Left by a crash in an earlier attempt.
  await rm(draftDir, { recursive: true, force: true });
  await mkdir(draftDir, { recursive: true, mode: 0o700 });
  try {
    const { id, kind, layer, repo, jobId, phase, at, hash, paths } = toProposalSummary(row);
    const facts = { id, kind, layer, repo, jobId, phase, at, hash, paths };
    await writeFile(join(draftDir, 'README.txt'), NOTE);
    await writeFile(join(draftDir, 'proposal.json'), `${JSON.stringify(facts, null, 2)}\n`);
    await writeFile(join(draftDir, 'description.md'), `${row.description.trimEnd()}\n`);
    for (const { path, text } of parseProposedFiles(row)) {
      if (text === null) continue;
      const file = join(draftDir, 'files', path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text);
    }
    await rm(toCopyDir(copies, row.id), { recursive: true, force: true });
    await rename(draftDir, toCopyDir(copies, row.id));
  } catch (error) {
    await rm(draftDir, { recursive: true, force: true });
    throw error;
  }
}
