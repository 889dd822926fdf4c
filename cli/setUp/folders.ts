import { stat } from 'node:fs/promises';
import type { Config } from '../../src/config/configSchema.ts';
import { absolutePath } from '../../src/config/paths.ts';
import { SvcError } from '../../src/lib/errors.ts';
import type { Settings } from '../../src/schema/settings.ts';
import type { Prompt } from './prompt.ts';
import { type Chosen, chosen } from './starter.ts';

/** As given on the command line, null = not; relative folders count from `cwd`. */
export interface GivenFolders {
  workingDir: string | null;
  intelligenceDir: string | null;
  intelligenceRemote: string | null;
}

export interface FolderContext {
  config: Config;
  settings: Settings;
  cwd: string;
  homeDir: string;
  prompt: Prompt | null;
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

/** Folders and the address of the team's workflows, as far as they are not the defaults. */
export async function foldersOf(given: GivenFolders, context: FolderContext): Promise<Chosen[]> {
  const { config, settings, prompt } = context;
  const found: Chosen[] = [];
  const { workingDir } = settings.paths;
  const isSet = config.paths.workingDir !== undefined;
  const jobs =
    given.workingDir ??
    (isSet ? '' : ((await prompt?.text(`Folder of the jobs [${workingDir}]:`)) ?? ''));
  if (jobs !== '')
    found.push(chosen(['paths', 'workingDir'], await folderAt('--working-dir', jobs, context)));
  if (given.intelligenceDir !== null) {
    const path = await folderAt('--intelligence-dir', given.intelligenceDir, context);
    found.push(chosen(['intelligence', 'dir'], path));
  }
  const { kind } = config.tenant.overlay;
  const isOpen = kind === undefined && config.intelligence.gitRemote === undefined;
  const question = "Git repository of your team's workflows, its address [none]:";
  const remote = given.intelligenceRemote ?? (isOpen ? ((await prompt?.text(question)) ?? '') : '');
  if (remote !== '') {
    const value = chosen(['intelligence', 'gitRemote'], remote);
    found.push({ ...value, secret: hasLogin(remote) });
  }
  return found;
}
