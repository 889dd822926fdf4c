import { tmpdir } from 'node:os';
import { temporaryFolderProblem } from '../../src/lib/temporaryFolder.ts';
import { type Finding, failed, ok } from './check.ts';

export function checkTemporaryFiles(folder = tmpdir()): Finding {
  const problem = temporaryFolderProblem(folder);
  if (problem === null) return ok(`can be made in ${folder}`);
  const [detail = problem, fix = ''] = problem.split(/(?<=\.) (?=Set )/);
  return failed(detail, fix);
}
