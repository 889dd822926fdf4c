import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { execute, settings } from '@oclif/core';
import { homeVariable } from '../src/config/homeVariable.ts';
import { homeFolder } from '../src/config/paths.ts';
import { commandsDirOf } from '../src/plugins/commands/pluginList.ts';
import { type OurCommands, oursIn } from './ourCommands.ts';

export interface CommandLineOptions {
  /** Folder of svc's package.json. */
  root: string;
  argv: string[];
  /** Told where oclif keeps its files, for the copies of it that plugins bring as well. */
  env: NodeJS.ProcessEnv;
  homeDir: string;
  ours: OurCommands;
}

/**
 * Runs a command by the one copy of oclif for all commands, bundled: as a package it is read from
 * 160 files. For a command of svc itself no plugin is looked at: none can slow it down, break it or
 * stand in for it.
 */
export async function runCommands({
  root,
  argv,
  env,
  homeDir,
  ours,
}: CommandLineOptions): Promise<void> {
  const [first = '', ...rest] = argv;
  const found = oursIn(ours, [...first.split(':'), ...rest]);
  const dir = commandsDirOf(homeFolder(homeVariable(env), homeDir));
  Object.assign(env, { SVC_DATA_DIR: dir, SVC_CONFIG_DIR: dir, SVC_CACHE_DIR: join(dir, 'cache') });
  // A linked plugin is used as it was built, without a look for sources and a warning about them.
  settings.enableAutoTranspile = false;
  const pjson = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const oclif = {
    ...pjson.oclif,
    commands: ours.folder,
    ...(found === 'command' ? { plugins: [] } : {}),
  };
  const loadOptions = {
    root,
    pjson: { ...pjson, oclif },
    userPlugins: found === null,
    devPlugins: false,
  };
  await execute({ args: argv, loadOptions });
}
