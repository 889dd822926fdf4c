import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { findProgramOnPath } from '../../executors/process/findProgramOnPath.ts';
import { findProgramVersion } from '../../executors/process/findProgramVersion.ts';

type Env = Readonly<Record<string, string | undefined>>;

export interface FoundProgram {
  name: string;
  path: string;
  /** null = it does not say. */
  version: string | null;
  /** Where its login was seen: a variable, or a file that was not opened; null = none was seen. */
  login: string | null;
}

interface LoginPlaces {
  name: string;
  variables: readonly string[];
  /** In the first of these folders that is set. */
  file: (env: Env, homeDir: string) => string;
}

const resolveConfigFolder = (env: Env, homeDir: string): string =>
  env.XDG_CONFIG_HOME || join(homeDir, '.config');

const PROGRAMS: readonly LoginPlaces[] = [
  {
    name: 'claude',
    variables: ['ANTHROPIC_API_KEY', 'CLAUDE_CODE_OAUTH_TOKEN'],
    file: (env, homeDir) =>
      join(env.CLAUDE_CONFIG_DIR || join(homeDir, '.claude'), '.credentials.json'),
  },
  {
    name: 'opencode',
    variables: [],
    file: (env, homeDir) =>
      join(env.XDG_DATA_HOME || join(homeDir, '.local', 'share'), 'opencode', 'auth.json'),
  },
  {
    name: 'codex',
    variables: ['OPENAI_API_KEY'],
    file: (env, homeDir) => join(env.CODEX_HOME || join(homeDir, '.codex'), 'auth.json'),
  },
  {
    name: 'gemini',
    variables: ['GEMINI_API_KEY'],
    file: (_env, homeDir) => join(homeDir, '.gemini', 'oauth_creds.json'),
  },
  {
    name: 'gh',
    variables: ['GH_TOKEN'],
    file: (env, homeDir) =>
      join(env.GH_CONFIG_DIR || join(resolveConfigFolder(env, homeDir), 'gh'), 'hosts.yml'),
  },
  {
    name: 'glab',
    variables: [],
    file: (env, homeDir) =>
      join(
        env.GLAB_CONFIG_DIR || join(resolveConfigFolder(env, homeDir), 'glab-cli'),
        'config.yml',
      ),
  },
];

/**
 * Programs of agents and forges on the PATH, with version and login. Asks a program for its
 * version where its package does not say it; opens no file of a login. Never rejects.
 */
export async function findPrograms(env: Env, homeDir: string): Promise<FoundProgram[]> {
  const searches = PROGRAMS.map(async ({ name, variables, file }): Promise<FoundProgram[]> => {
    const path = findProgramOnPath(name, env.PATH);
    if (path === null) return [];
    const place = file(env, homeDir);
    const login = variables.find((variable) => env[variable]) ?? (existsSync(place) ? place : null);
    return [{ name, path, version: await findProgramVersion(path), login }];
  });
  return (await Promise.all(searches)).flat();
}

export const formatProgramLine = ({ name, version, login }: FoundProgram): string =>
  `${name}${version === null ? '' : ` ${version}`}, ${login === null ? 'no login seen' : `login in ${login}`}`;
