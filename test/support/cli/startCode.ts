import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PATIENCE_MS } from '../inTime.ts';

const VARIABLE = 'SVC_TEST_START_CODE';
/** Where a home keeps what V8 has made of the files that a start loads. */
const codeIn = (home: string): string => join(home, 'cache', 'start.code');

/**
 * Starts and stops the built runner of `root` once on `home`, an empty folder. Answers the variable
 * that tells tests where its code is: nothing where the runner did not start, which its own tests
 * report.
 */
export async function makeStartCode(
  root: string,
  home: string,
  env: NodeJS.ProcessEnv,
): Promise<Record<string, string>> {
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const bin = join(root, 'cli', 'bin', 'run.js');
  const child = spawn(process.execPath, [bin, 'start', '--no-open', '--port', '0'], {
    env: { ...env, SVC_HOME: home, NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const timer = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
  const exit = once(child, 'exit');
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    if (/listening on http/.test(output)) child.kill('SIGTERM');
  });
  await exit;
  clearTimeout(timer);
  return existsSync(codeIn(home)) ? { [VARIABLE]: codeIn(home) } : {};
}

/**
 * Gives a home the code of a start that another home has made, as if the runner had run there
 * before: a third of the processor time of a start is compilation, and tests start hundreds.
 */
export function giveStartCode(home: string): void {
  const source = process.env[VARIABLE];
  const file = codeIn(home);
  if (source === undefined || !existsSync(source) || existsSync(file)) return;
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  copyFileSync(source, file);
}
