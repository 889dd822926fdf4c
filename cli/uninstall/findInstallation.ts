import { quotePosixWord } from '../../src/base/text/quotePosixWord.ts';
import { existsSync, realpathSync } from 'node:fs';
import { access, constants } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { runServiceProgram } from '../service/runServiceProgram.ts';
import { SvcError } from '../../src/base/errors/errors.ts';

export interface Installation {
  root: string;
  /** What removes it, as arguments; null = svc does not do it. */
  command: readonly string[] | null;
  /** What a person has to do, in a sentence; empty = nothing. */
  byHand: string;
}

const PACKAGE = '@svc/runner';
const INSTALLED = /^(.*)[\\/]lib[\\/]node_modules[\\/]@svc[\\/]runner$/;

/** Package managers that keep global packages in a folder of theirs, and what removes one. */
const OTHERS: readonly (readonly [RegExp, string])[] = [
  [/[\\/]\.?pnpm[\\/]/, `pnpm remove --global ${PACKAGE}`],
  [/[\\/]yarn[\\/](?:.*[\\/])?global[\\/]/, `yarn global remove ${PACKAGE}`],
  [/[\\/]\.bun[\\/]/, `bun remove --global ${PACKAGE}`],
];

export const formatShellCommand = (command: readonly string[]): string =>
  command.map((word) => (/^[\w@/.:=+-]+$/.test(word) ? word : quotePosixWord(word))).join(' ');

/** Whether the program of this prefix is the one in `root`: a project has no such link. */
function isProgramOfPrefix(prefix: string, root: string): boolean {
  try {
    return realpathSync(join(prefix, 'bin', 'svc')).startsWith(root);
  } catch {
    return false;
  }
}

/** How the program in a folder is removed. Changes nothing. */
export async function findInstallation(
  root: string,
  platform: NodeJS.Platform,
): Promise<Installation> {
  const manual = (byHand: string): Installation => ({ root, command: null, byHand });
  if (!/[\\/]node_modules[\\/]/.test(root))
    return manual(
      `This svc runs from ${root}, which npm did not install. If you need it no longer, remove that folder, and an alias or link that leads to it.`,
    );
  if (/[\\/]_npx[\\/]/.test(root))
    return manual(`This svc is in npx's cache: ${root}. Nothing else uses it there.`);
  for (const [place, command] of OTHERS) if (place.test(root)) return manual(`Run: ${command}`);
  if (platform === 'win32')
    return manual(
      `Windows removes no program that is running. Run: npm uninstall --global ${PACKAGE}`,
    );
  const prefix = INSTALLED.exec(root)?.[1];
  if (prefix === undefined || !isProgramOfPrefix(prefix, root)) {
    const project = dirname(dirname(dirname(root)));
    return manual(
      `This svc is a package of the project ${project}. In that folder, run: npm uninstall ${PACKAGE}`,
    );
  }
  const command = ['npm', 'uninstall', '--global', '--prefix', prefix, PACKAGE];
  const mayWrite = await Promise.all(
    [dirname(root), join(prefix, 'bin')].map((folder) => access(folder, constants.W_OK)),
  ).then(
    () => true,
    () => false,
  );
  return mayWrite
    ? { root, command, byHand: '' }
    : manual(`${prefix} belongs to another user. Run: sudo ${formatShellCommand(command)}`);
}

/** Removes the program with npm of PATH or beside this node. Throws `conflict` with npm's words. */
export async function removeProgram(
  [program = '', ...args]: readonly string[],
  run: typeof runServiceProgram,
): Promise<void> {
  const beside = join(dirname(process.execPath), program);
  let ran = await run(program, args);
  if (ran.code === null && existsSync(beside)) ran = await run(beside, args);
  if (ran.code === 0) return;
  const why = ran.err.trim() || (ran.code === null ? 'npm was not found' : `exit code ${ran.code}`);
  throw new SvcError(
    'conflict',
    `The program is still installed: ${why}\nEverything else is done. Run: ${formatShellCommand([program, ...args])}`,
  );
}
