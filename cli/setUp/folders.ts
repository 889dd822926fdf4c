import { stat } from 'node:fs/promises';
import { absolutePath } from '../../src/config/paths.ts';
import { SvcError } from '../../src/lib/errors.ts';
import { type Chosen, chosen } from '../../src/setUp/chosen.ts';

/** As given on the command line, null = not; relative folders count from `cwd`. */
export interface GivenFolders {
  workingDir: string | null;
  intelligenceDir: string | null;
  intelligenceRemote: string | null;
}

export interface FolderContext {
  cwd: string;
  homeDir: string;
}

/** The folder as an absolute path. Throws SvcError `bad-argument` where a file with that name exists. */
async function folderAt(flag: string, given: string, context: FolderContext): Promise<string> {
  const path = absolutePath(given, context.cwd, context.homeDir);
  const found = await stat(path).catch(() => null);
  if (found === null || found.isDirectory()) return path;
  throw new SvcError('bad-argument', `${flag}: ${path} is not a folder. Name another one.`);
}

/** Whether the address holds a password. */
const hasLogin = (address: string): boolean =>
  URL.canParse(address) && new URL(address).password !== '';

/** Folders and the address of the team's workflows, as far as flags give them. */
export async function foldersOf(given: GivenFolders, context: FolderContext): Promise<Chosen[]> {
  const { workingDir, intelligenceDir, intelligenceRemote } = given;
  const found: Chosen[] = [];
  if (workingDir !== null)
    found.push(
      chosen(['paths', 'workingDir'], await folderAt('--working-dir', workingDir, context)),
    );
  if (intelligenceDir !== null) {
    const path = await folderAt('--intelligence-dir', intelligenceDir, context);
    found.push(chosen(['intelligence', 'dir'], path));
  }
  if (intelligenceRemote !== null) {
    const value = chosen(['intelligence', 'gitRemote'], intelligenceRemote);
    found.push({ ...value, secret: hasLogin(intelligenceRemote) });
  }
  return found;
}
