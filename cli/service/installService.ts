import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { SvcError } from '../../src/base/errors/errors.ts';
import type { runServiceProgram } from './runServiceProgram.ts';
import type { ServiceFile, ServiceManager } from './serviceManager.ts';
import { MARK, type ServicePlan } from './buildServicePlan.ts';

/** The file as text, whichever encoding it has. */
export const decodeServiceFile = (bytes: Buffer): string =>
  bytes[0] === 0xff && bytes[1] === 0xfe ? bytes.toString('utf16le') : bytes.toString('utf8');

/** Throws SvcError `conflict` for a file that svc has not written. */
async function refuseForeign(files: readonly ServiceFile[]): Promise<void> {
  for (const { path } of files) {
    if (!existsSync(path) || decodeServiceFile(await readFile(path)).includes(MARK)) continue;
    throw new SvcError(
      'conflict',
      `${path} was not written by svc service install and was not changed. Move it away first.`,
    );
  }
}

const joinServiceCommand = (command: readonly string[]): string => command.join(' ');

async function runServiceCommands(
  commands: readonly string[][],
  run: typeof runServiceProgram,
  mayFail: boolean,
): Promise<void> {
  for (const command of commands) {
    const [program = '', ...args] = command;
    const { code, err, out } = await run(program, args);
    if (code === 0 || mayFail) continue;
    const why =
      (err || out).trim() || (code === null ? 'it is not installed' : `exit code ${code}`);
    throw new SvcError('conflict', `${joinServiceCommand(command)} failed: ${why}`);
  }
}

/** Writes the files and starts the service; undone if it fails. Throws SvcError `conflict`. */
export async function installService(
  manager: ServiceManager,
  plan: ServicePlan,
  run: typeof runServiceProgram,
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
    await runServiceCommands(manager.installs(plan), run, false);
  } catch (error) {
    await uninstallService(manager, plan, run);
    throw error;
  }
  return files.map(({ path }) => path);
}

/** Stops the service and removes its files. Returns the names of the files. */
export async function uninstallService(
  manager: ServiceManager,
  plan: ServicePlan,
  run: typeof runServiceProgram,
): Promise<string[]> {
  const files = manager.files(plan);
  await refuseForeign(files);
  const there = files.filter(({ path }) => existsSync(path));
  if (there.length === 0) return [];
  await runServiceCommands(manager.removes(plan), run, true);
  for (const { path } of there) await rm(path, { force: true });
  await runServiceCommands(manager.afterwards(plan), run, true);
  return there.map(({ path }) => path);
}

export const isServiceInstalled = (manager: ServiceManager, plan: ServicePlan): boolean =>
  manager.files(plan).some(({ path }) => existsSync(path));

export function formatServiceInstallation(manager: ServiceManager, plan: ServicePlan): string {
  const files = manager
    .files(plan)
    .map(({ path, content }) => `# ${path}\n${decodeServiceFile(content).replace(/^\ufeff/, '')}`);
  return `${files.join('\n')}\n# then\n${manager.installs(plan).map(joinServiceCommand).join('\n')}\n`;
}
