import type { Dirent } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { GUARDRAIL_ID } from '../../base/agents/guardrails.ts';

export interface ScriptFolder {
  /** Files of each script by the id of its rule; several contradict each other. */
  scripts: ReadonlyMap<string, readonly string[]>;
  /** Files that look like rules, and why they are not; sentences without a full stop. */
  ignored: readonly string[];
}

/** Endings with a program that svc knows: such a file is a script, executable or not. */
const RUN_BY_SVC = new Set(['.js', '.mjs', '.cjs', '.sh']);
/** Endings of notes and of leftovers of editors and tools, never of scripts. */
const NEVER = new Set(['.md', '.txt', '.bak', '.old', '.orig', '.rej', '.swp', '.swo', '.tmp']);

const isId = new RegExp(GUARDRAIL_ID);
const isLeftOver = (name: string): boolean =>
  /^[.#]/.test(name) || name.endsWith('~') || NEVER.has(extname(name).toLowerCase());
const stripFileExtension = (name: string): string =>
  name.slice(0, name.length - extname(name).length);

async function isExecutableScript(dir: string, entry: Dirent): Promise<boolean> {
  if (entry.isDirectory()) return false;
  const stats = await lstat(join(dir, entry.name)).catch(() => null);
  return stats !== null && (stats.mode & 0o111) !== 0;
}

/**
 * A script is a file with an ending whose program svc knows, or an executable one, or one with a
 * description and no other script with this name, so that a lost permission refuses. A missing folder
 * is empty; rejects if it cannot be read.
 */
export async function readScriptFolder(dir: string): Promise<ScriptFolder> {
  const entries = await readdir(dir, { withFileTypes: true }).catch((error) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const describedNames = new Set(
    entries
      .filter(({ name }) => extname(name) === '.json')
      .map(({ name }) => stripFileExtension(name)),
  );
  const rest = entries
    .filter(({ name }) => extname(name) !== '.json' && !isLeftOver(name))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  const sure = await Promise.all(
    rest.map(
      async (entry) => RUN_BY_SVC.has(extname(entry.name)) || isExecutableScript(dir, entry),
    ),
  );
  const stems = new Set(
    rest.filter((_, at) => sure[at]).map(({ name }) => stripFileExtension(name)),
  );
  const names = rest
    .map(({ name }) => name)
    .filter(
      (name, at) =>
        sure[at] ||
        (describedNames.has(stripFileExtension(name)) && !stems.has(stripFileExtension(name))),
    );
  const scripts = new Map<string, string[]>();
  for (const name of names.filter((one) => isId.test(stripFileExtension(one))))
    scripts.set(stripFileExtension(name), [...(scripts.get(stripFileExtension(name)) ?? []), name]);
  const all = new Set(names.map(stripFileExtension));
  return {
    scripts,
    ignored: [
      ...names
        .filter((name) => !isId.test(stripFileExtension(name)))
        .map(
          (name) =>
            `${name} is not asked: the name of a rule has lower-case letters, digits and hyphens, begins with a letter, and has at most 64 characters; rename it, and its description with it`,
        ),
      ...[...describedNames]
        .filter((stem) => !all.has(stem))
        .sort()
        .map((stem) => `${stem}.json describes no script`),
    ],
  };
}
