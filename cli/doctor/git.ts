import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { messageOf } from '../../src/lib/errors.ts';
import { ANSWER_MS, type Finding, failed, ok } from './check.ts';

/** Oldest git whose options svc uses. */
const OLDEST_GIT = [2, 31] as const;

export function judgeGit(said: string): Finding {
  const [, major, minor] = /(\d+)\.(\d+)/.exec(said) ?? [];
  const version = [Number(major), Number(minor)] as const;
  if (major === undefined) return failed(`git answered ${JSON.stringify(said.slice(0, 80))}`, 'Put the real git on the PATH.');
  const [needMajor, needMinor] = OLDEST_GIT;
  const isOld = version[0] < needMajor || (version[0] === needMajor && version[1] < needMinor);
  return isOld ? failed(said, `Install git ${OLDEST_GIT.join('.')} or later.`) : ok(said);
}

/** Configuration of the machine and the person does not matter: svc's git reads none of it. */
export async function checkGit(path: string | undefined): Promise<Finding> {
  try {
    const env = path === undefined ? {} : { PATH: path };
    const { stdout } = await promisify(execFile)('git', ['--version'], { env, timeout: ANSWER_MS });
    return judgeGit(stdout.trim());
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    return failed(
      isMissing ? 'there is no git on the PATH' : `git does not run: ${messageOf(error)}`,
      `Install git ${OLDEST_GIT.join('.')} or later, and look that the PATH of the runner has it.`,
    );
  }
}
