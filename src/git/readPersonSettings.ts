import { existsSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { runGit } from './runGit.ts';

/** What a filter of a person's git does; svc never runs it. */
export interface FilterUse {
  /** Files on disk differ from their blobs, and only the filter's program could compare them. */
  isForReading: boolean;
  isForWriting: boolean;
}

export interface PersonSettings {
  /**
   * Environment for a git in the tree: the person's line ends, attributes and times, and no filter.
   */
  env: Readonly<Record<string, string>>;
  /** False: no filter can have an effect there. */
  hasFilters: boolean;
  hasCommands(name: string): boolean;
  /** What the filter with this name does; null = it does nothing. */
  findFilter(name: string): FilterUse | null;
}

const CONVERTS_ALL: FilterUse = { isForReading: true, isForWriting: true };

/** Settings that say how files on disk and blobs differ, or how changes are noticed. None runs a program. */
const USED = new Set([
  'core.attributesfile',
  'core.autocrlf',
  'core.checkstat',
  'core.eol',
  'core.trustctime',
]);

const FILTER = /^filter\.(.+)\.(clean|smudge|process|required)$/s;
/** Filter commands that change nothing. */
const IDENTITY = /^\s*(?:cat)?\s*$/;
const LFS_SKIPS = /^\s*git[- ]lfs\b.*\s--skip(?:\s|$)/;

/** Environment in which git finds the person's own files. */
const buildPersonGitEnv = (): Record<string, string> => {
  const xdg = process.env.XDG_CONFIG_HOME;
  return { HOME: homedir(), ...(xdg ? { XDG_CONFIG_HOME: xdg } : {}) };
};

interface Place {
  dir: string;
  ownGitDir: string;
  gitDir: string;
}

/**
 * Name → value, from all layers of configuration that apply in the folder; the last value counts.
 */
async function readPersonGitConfig({ dir, ownGitDir }: Place): Promise<Map<string, string>> {
  const { stdout } = await runGit(
    ['--git-dir', ownGitDir, 'config', '--null', '--includes', '--list'],
    {
      cwd: dir,
      asPerson: true,
      env: buildPersonGitEnv(),
    },
  );
  return new Map(
    stdout
      .split('\0')
      .filter((entry) => entry !== '')
      .map((entry) => {
        const end = entry.indexOf('\n');
        return end === -1 ? [entry, 'true'] : [entry.slice(0, end), entry.slice(end + 1)];
      }),
  );
}

interface Commands {
  clean: string;
  smudge: string;
  process: string;
}

function parseFilterCommands(config: ReadonlyMap<string, string>): Map<string, Commands> {
  const filters = new Map<string, Commands>();
  for (const [key, value] of config) {
    const [, name = '', part = ''] = FILTER.exec(key) ?? [];
    if (name === '') continue;
    const commands = filters.get(name) ?? { clean: '', smudge: '', process: '' };
    filters.set(name, { ...commands, ...(part === 'required' ? {} : { [part]: value }) });
  }
  return filters;
}

function classifyFilter({ clean, smudge, process }: Commands): FilterUse | null {
  const does = (command: string): boolean => !IDENTITY.test(command);
  const use = {
    isForReading: does(process) || does(clean),
    isForWriting: does(process)
      ? !LFS_SKIPS.test(process)
      : does(smudge) && !LFS_SKIPS.test(smudge),
  };
  return use.isForReading || use.isForWriting ? use : null;
}

/** Settings for one git process as environment variables, where names may hold any character. */
const toEnvironment = (settings: readonly (readonly [string, string])[]): Record<string, string> =>
  Object.fromEntries([
    ['GIT_CONFIG_COUNT', String(settings.length)],
    ...settings.flatMap(([key, value], at) => [
      [`GIT_CONFIG_KEY_${at}`, key],
      [`GIT_CONFIG_VALUE_${at}`, value],
    ]),
  ]);

/**
 * Reads how the git of the runner's user, with the configuration of the machine, the user and the
 * repository, treats the files of a working tree. Nothing is run. In a tree of another user, whose
 * configuration is not known, every filter that the attributes name counts.
 */
export async function readPersonSettings(place: Place): Promise<PersonSettings> {
  const config = await readPersonGitConfig(place);
  const filters = parseFilterCommands(config);
  const isForeign = statSync(place.dir).uid !== process.getuid?.();
  // Git LFS makes this folder where it has converted files.
  const hasLfs = existsSync(join(place.gitDir, 'lfs'));
  const none = [...filters.keys()].flatMap((name) => [
    [`filter.${name}.clean`, ''] as const,
    [`filter.${name}.smudge`, ''] as const,
    [`filter.${name}.process`, ''] as const,
    [`filter.${name}.required`, 'false'] as const,
  ]);
  const usedSettings = [...config].filter(([key]) => USED.has(key));
  return {
    env: {
      ...buildPersonGitEnv(),
      GIT_ATTR_NOSYSTEM: '0',
      ...toEnvironment([...usedSettings, ...none]),
    },
    hasFilters: filters.size > 0 || isForeign || hasLfs,
    hasCommands: (name) => filters.has(name),
    findFilter(name) {
      const commands = filters.get(name);
      if (commands) return classifyFilter(commands);
      return isForeign || (hasLfs && name === 'lfs') ? CONVERTS_ALL : null;
    },
  };
}
