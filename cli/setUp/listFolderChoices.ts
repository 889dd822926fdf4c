import { stat } from 'node:fs/promises';
import { resolveUserPath } from '../../src/host/config/home/paths.ts';
import { SvcError } from '../../src/base/errors/errors.ts';
import { type ChosenValue, toChosenValue } from '../../src/host/setUp/chosenValues.ts';

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
async function resolveGivenFolder(
  flag: string,
  folder: string,
  context: FolderContext,
): Promise<string> {
  const path = resolveUserPath(folder, context.cwd, context.homeDir);
  const stats = await stat(path).catch(() => null);
  if (stats === null || stats.isDirectory()) return path;
  throw new SvcError('bad-argument', `${flag}: ${path} is not a folder. Name another one.`);
}

const hasLoginInAddress = (address: string): boolean =>
  URL.canParse(address) && new URL(address).password !== '';

/** Folders and the address of the team's workflows, as far as flags give them. */
export async function listFolderChoices(
  givenFolders: GivenFolders,
  context: FolderContext,
): Promise<ChosenValue[]> {
  const { workingDir, intelligenceDir, intelligenceRemote } = givenFolders;
  const folderValues: ChosenValue[] = [];
  if (workingDir !== null)
    folderValues.push(
      toChosenValue(
        ['paths', 'workingDir'],
        await resolveGivenFolder('--working-dir', workingDir, context),
      ),
    );
  if (intelligenceDir !== null) {
    const path = await resolveGivenFolder('--intelligence-dir', intelligenceDir, context);
    folderValues.push(toChosenValue(['intelligence', 'dir'], path));
  }
  if (intelligenceRemote !== null) {
    const value = toChosenValue(['intelligence', 'gitRemote'], intelligenceRemote);
    folderValues.push({ ...value, secret: hasLoginInAddress(intelligenceRemote) });
  }
  return folderValues;
}
