import { tmpdir } from 'node:os';
import { explainTemporaryFolderFault } from '../../src/shared/system/files/temporaryFolder.ts';
import { type Finding, toErrorFinding, toOkFinding } from './check.ts';

export function checkTemporaryFiles(folder = tmpdir()): Finding {
  const problem = explainTemporaryFolderFault(folder);
  if (problem === null) return toOkFinding(`can be made in ${folder}`);
  const [detail = problem, fix = ''] = problem.split(/(?<=\.) (?=Set )/);
  return toErrorFinding(detail, fix);
}
