import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { SvcError } from '../../src/lib/errors.ts';
import type { runProgram } from './runProgram.ts';
import type { ServiceFile, ServiceManager } from './serviceManager.ts';
import { MARK, type ServicePlan } from './servicePlan.ts';

/** The file as text, whichever encoding it has. */
export const textOf = (bytes: Buffer): string =>
  bytes[0] === 0xff && bytes[1] === 0xfe ? bytes.toString('utf16le') : bytes.toString('utf8');

/** Throws SvcError `conflict` for a file that svc has not written. */
async function refuseForeign(files: readonly ServiceFile[]): Promise<void> {
  for (const { path } of files) {
    if (!existsSync(path) || textOf(await readFile(path)).includes(MARK)) continue;
    throw new SvcError(
      'conflict',
      `${path} was not written by svc service install, and was left as it is. Move it away first.`,
    );
  }
}

const shown = (command: readonly string[]): string => command.join(' ');

async function carryOut(
  commands: readonly string[][],
  run: typeof runProgram,
  mayFail: boolean,
): Promise<void> {
  for (const command of commands) {
    const [program = '', ...args] = command;
    const { code, err, out } = await run(program, args);
    if (code === 0 || mayFail) continue;
    const why =
      (err || out).trim() || (code === null ? 'it is not installed' : `exit code ${code}`);
    throw new SvcError('conflict', `${shown(command)} failed: ${why}`);
  }
}

/**
 * Writes the files and starts the service. Where that fails, it is taken away again. Throws SvcError
 * `conflict`.
 */
export async function installService(
  manager: ServiceManager,
  plan: ServicePlan,
  run: typeof runProgram,
): Promise<string[]> {
  const files = manager.files(plan);
  await refuseForeign(files);
  try {
    for (const { path, content, mode } of files) {
      await mkdir(dirname(path), { recursive: true });
      const draft = `${path}.svc-draft`;
      await writeFile(draft, content, { mode });
      await chmod(draft, mode);
      await rename(draft, path);
    }
    await carryOut(manager.installs(plan), run, false);
  } catch (error) {
    await uninstallService(manager, plan, run);
    throw error;
  }
  return files.map(({ path }) => path);
}

/** Stops the service and removes its files; which ones. */
export async function uninstallService(
  manager: ServiceManager,
  plan: ServicePlan,
  run: typeof runProgram,
): Promise<string[]> {
  const files = manager.files(plan);
  await refuseForeign(files);
  const there = files.filter(({ path }) => existsSync(path));
  if (there.length === 0) return [];
  await carryOut(manager.removes(plan), run, true);
  for (const { path } of there) await rm(path, { force: true });
  await carryOut(manager.afterwards(plan), run, true);
  return there.map(({ path }) => path);
}

/** Whether its file exists. */
export const isInstalled = (manager: ServiceManager, plan: ServicePlan): boolean =>
  manager.files(plan).some(({ path }) => existsSync(path));

/** What an installation would write and run, for people. */
export function shownService(manager: ServiceManager, plan: ServicePlan): string {
  const files = manager
    .files(plan)
    .map(({ path, content }) => `# ${path}\n${textOf(content).replace(/^\ufeff/, '')}`);
  return `${files.join('\n')}\n# then\n${manager.installs(plan).map(shown).join('\n')}\n`;
}
