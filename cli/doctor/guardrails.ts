import { constants } from 'node:fs';
import { access, open } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { readScriptRules } from '../../src/policy/guardrails/readScriptRules.ts';
import { createProgramCheck } from '../../src/base/system/process/createProgramCheck.ts';
import {
  type Finding,
  toErrorFinding,
  toOkFinding,
  toSkippedFinding,
  toWarningFinding,
} from './check.ts';

/** How much of a script is read to find its interpreter, bytes. */
const FIRST_LINE_BYTES = 256;

/** Scripts that svc runs with a program of its own choice. */
const HAVE_PROGRAM = new Set(['.js', '.mjs', '.cjs', '.sh']);

/** The words of the first line after `#!`; empty = none. */
async function readInterpreterLine(file: string): Promise<string[]> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(FIRST_LINE_BYTES) });
    const [line = ''] = buffer.toString('utf8', 0, bytesRead).split('\n', 1);
    return line.startsWith('#!') ? line.slice(2).trim().split(/\s+/) : [];
  } finally {
    await handle.close();
  }
}

const canExecuteScript = (file: string): Promise<boolean> =>
  access(file, constants.X_OK).then(
    () => true,
    () => false,
  );

/** Why a script cannot be started; null = it can. */
async function explainUnstartableScript(file: string, path: string): Promise<string | null> {
  const name = basename(file);
  if (HAVE_PROGRAM.has(extname(file))) return null;
  if (!(await canExecuteScript(file))) return `${name} is not executable. Run: chmod u+x ${file}`;
  const [program = '', ...words] = await readInterpreterLine(file);
  if (program === '') return null;
  const programName =
    basename(program) === 'env' ? words.find((word) => !word.startsWith('-')) : program;
  if (programName === undefined) return `${name} names no interpreter after env in its first line`;
  const lacks = createProgramCheck(path)(programName, null);
  return lacks && `${name} cannot be started: ${lacks}`;
}

export async function checkGuardrails(
  home: string,
  path: string | undefined,
  uid: number | undefined,
): Promise<Finding> {
  const dir = join(home, 'guardrails');
  const { rules, ignored } = await readScriptRules(dir, uid);
  if (rules.length === 0 && ignored.length === 0)
    return toSkippedFinding('no rules of your own (scripts in the folder guardrails of the home)');
  const problems = await Promise.all(
    rules.map(async ({ id, file, problem }) => {
      const what = problem ?? (await explainUnstartableScript(file, path ?? ''));
      return what === null ? [] : [`${id} denies everything: ${what}`];
    }),
  ).then((problemLists) => problemLists.flat());
  const fix = `Fix the rules listed above, or remove them from ${dir}.`;
  if (problems.length > 0) return toErrorFinding([...problems, ...ignored].join('; '), fix);
  if (ignored.length > 0) return toWarningFinding(ignored.join('; '), fix);
  return toOkFinding(`${rules.length} ${rules.length === 1 ? 'script' : 'scripts'}`);
}
