import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import { homeFolder } from '../src/config/paths.ts';
import { keptProgram } from '../src/handover/keptProgram.ts';

/**
 * Address of the module that `svc start` of the program in `root` is run from; see
 * {@link keptProgram}.
 */
export async function startFrom(
  root: string,
  env: Readonly<Record<string, string | undefined>>,
  homeDir: string,
): Promise<string> {
  const home = homeFolder(env.SVC_HOME || null, homeDir);
  const problem = (text: string): void => void process.stderr.write(`Warning: ${text}\n`);
  const from = await keptProgram(home, root, problem);
  return pathToFileURL(join(from, 'dist', 'cli', 'start.js')).href;
}
