import { existsSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { runGit } from './runGit.ts';

/** What a filter of a person's git does; svc runs none of it. */
export interface FilterUse {
  /** Files on disk are not what their blobs are: they can be compared only with its program. */
  isForReading: boolean;
  /** Blobs become something else when they are written to disk. */
  isForWriting: boolean;
}

/** How a person's own git reads and writes the files of one working tree. */
export interface PersonSettings {
  /**
   * Environment of a git in the tree: line ends, attributes and times as the person has them, and no
   * filter.
   */
  env: Readonly<Record<string, string>>;
  /** False: no filter can do anything there. */
  hasFilters: boolean;
  /** Whether a filter with this name is configured. */
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
/** Commands that leave everything as it is. */
const IDENTITY = /^\s*(?:cat)?\s*$/;
/** Git LFS that leaves pointers on the disk. */
const LFS_SKIPS = /^\s*git[- ]lfs\b.*\s--skip(?:\s|$)/;

/** Where the person's git looks for its own files. */
const buildPersonGitEnv = (): Record<string, string> => {
  const xdg = process.env.XDG_CONFIG_HOME;
  return { HOME: homedir(), ...(xdg ? { XDG_CONFIG_HOME: xdg } : {}) };
};

interface Place {
  dir: string;
  /** Where the index of the tree is. */
  ownGitDir: string;
  /** Where refs and objects are. */
  gitDir: string;
}

/** Name → value, of all layers of configuration that apply in the folder; the last value counts. */
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
    const known = filters.get(name) ?? { clean: '', smudge: '', process: '' };
    filters.set(name, { ...known, ...(part === 'required' ? {} : { [part]: value }) });
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

/** Settings for one git process, by its environment: names may hold any character. */
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
  const used = [...config].filter(([key]) => USED.has(key));
  return {
    env: {
      ...buildPersonGitEnv(),
      GIT_ATTR_NOSYSTEM: '0',
      ...toEnvironment([...used, ...none]),
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
