import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { execute, settings } from '@oclif/core';
import { readHomeVariable, resolveHomeFolder } from '../src/host/config/home/paths.ts';
import { toCommandsDir } from '../src/plugins/commands/pluginList.ts';
import { type OwnCommands, classifyOwnWords } from './ownCommands.ts';

export interface CommandLineOptions {
  /** Folder of svc's package.json. */
  root: string;
  argv: string[];
  /** Receives the places of oclif's files, also for the copies of oclif in plugins. */
  env: NodeJS.ProcessEnv;
  homeDir: string;
  ours: OwnCommands;
}

/** Packages of `svc help` and `svc autocomplete`, whose commands are among svc's where it is built. */
const BROUGHT_PACKAGES = ['@oclif/plugin-autocomplete', '@oclif/plugin-help'];

/**
 * Runs a command with the one bundled copy of oclif; as a package it would be read from 160 files.
 * A command of svc itself loads no plugin, so that none can slow it down, break it or replace it.
 */
export async function runCommands({
  root,
  argv,
  env,
  homeDir,
  ours,
}: CommandLineOptions): Promise<void> {
  const [first = '', ...rest] = argv;
  const kind = classifyOwnWords(ours, [...first.split(':'), ...rest]);
  const dir = toCommandsDir(resolveHomeFolder(readHomeVariable(env), homeDir));
  Object.assign(env, { SVC_DATA_DIR: dir, SVC_CONFIG_DIR: dir, SVC_CACHE_DIR: join(dir, 'cache') });
  // A linked plugin is used as it was built, without a look for sources and a warning about them.
  settings.enableAutoTranspile = false;
  const pjson = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const oclif = {
    ...pjson.oclif,
    commands: ours.folder,
    helpClass: join(dirname(ours.folder), `help${ours.ending}`),
    hooks: {
      command_not_found: join(dirname(ours.folder), 'hooks', `commandNotFound${ours.ending}`),
    },
    plugins: ours.ending === '.ts' && kind === null ? BROUGHT_PACKAGES : [],
  };
  const loadOptions = {
    root,
    pjson: { ...pjson, oclif },
    userPlugins: kind === null,
    devPlugins: false,
  };
  await execute({ args: argv, loadOptions });
}
