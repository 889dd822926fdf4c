import { existsSync } from 'node:fs';
import {
  type ArchivesCondition,
  inspectArchives,
} from '../../src/kernel/sqlite/archive/inspectArchives.ts';
import { resolveArchiveDir } from '../../src/kernel/sqlite/openKernelStore.ts';
import { type Finding, toErrorFinding, toOkFinding } from './check.ts';

const NAMED = 10;

export function diagnoseArchives({ files, read, problems, knowsAll }: ArchivesCondition): Finding {
  if (problems.length > 0) {
    const problemTexts = problems.slice(0, NAMED).map(({ path, problem }) => `${path}: ${problem}`);
    const more = problems.length > NAMED ? ` and ${problems.length - NAMED} more` : '';
    return toErrorFinding(
      `logs of ended jobs cannot be read: ${problemTexts.join('; ')}${more}`,
      'Put these files back from a backup. Everything else of the jobs is in the state, and other jobs are not affected.',
    );
  }
  if (files === 0) return toOkFinding('no log is archived');
  const part =
    read < files
      ? `${read} of ${files} archives, the newest,`
      : `${files} archive${files === 1 ? '' : 's'}`;
  const missing = knowsAll
    ? ''
    : '; whether some are missing can be seen while the runner is stopped';
  return toOkFinding(`${part} ${files === 1 ? 'is' : 'are'} intact${missing}`);
}

/** `file`: the state.db, which is not read while a process has it. */
export const checkArchives = async (file: string): Promise<Finding> =>
  existsSync(file)
    ? diagnoseArchives(await inspectArchives(file, resolveArchiveDir(file)))
    : toOkFinding('no log is archived');
