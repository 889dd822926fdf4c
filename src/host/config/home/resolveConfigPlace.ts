import { hostname } from 'node:os';
import { join } from 'node:path';
import { type Env, type Environment, readEnvironment } from './env.ts';
import { resolveUserPath, resolveHomeFolder } from './paths.ts';

export interface SettingsSources {
  env: Env;
  /** The person's home folder: what `~` stands for. */
  homeDir: string;
  flags: { config?: string; port?: number; host?: string };
  /** Folder of svc's own package.json. */
  packageRoot: string;
  /** Name of this machine; default: the operating system's. */
  hostName?: string;
}

/** Where the configuration is, with its home and version. */
export interface ConfigPlace {
  home: string;
  /** Absolute path of the config file. */
  file: string;
  environment: Environment;
  hostName: string;
}

/** Throws SvcError `bad-argument` for an environment variable that cannot be used. */
export function resolveConfigPlace({
  env,
  homeDir,
  flags,
  hostName = hostname(),
}: SettingsSources): ConfigPlace {
  const environment = readEnvironment(env);
  const home = resolveHomeFolder(environment.home, homeDir);
  const file =
    flags.config === undefined
      ? join(home, 'config.json')
      : resolveUserPath(flags.config, '.', homeDir);
  return { home, file, environment, hostName };
}

export const buildDefaultFolders = (
  home: string,
): { workingDir: string; intelligenceDir: string } => ({
  workingDir: join(home, 'work'),
  intelligenceDir: join(home, 'intelligence'),
});
