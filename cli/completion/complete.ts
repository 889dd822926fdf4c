import { readHomeVariable, resolveHomeFolder } from '../../src/host/config/home/paths.ts';
import type { Env } from '../../src/host/config/home/env.ts';
import { findPackageRoot } from '../findPackageRoot.ts';
import { listValueCandidates, type Candidate, type CompletionHome } from './listValueCandidates.ts';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { toCommandsDir, readPluginList } from '../../src/plugins/commands/pluginList.ts';

interface KnownFlag {
  name: string;
  char?: string;
  type: 'boolean' | 'option';
  description?: string;
  multiple?: boolean;
  allowNo?: boolean;
  hidden?: boolean;
  options?: readonly string[];
}

interface KnownCommand {
  id: string;
  summary?: string;
  hidden?: boolean;
  aliases?: readonly string[];
  args: Readonly<Record<string, { name: string; options?: readonly string[] }>>;
  flags: Readonly<Record<string, KnownFlag>>;
}

/** Commands of a manifest by their words; nothing where it cannot be read. */
async function readCommandsOfManifest(
  dir: string,
): Promise<[words: string, command: KnownCommand][]> {
  try {
    const { commands } = JSON.parse(await readFile(join(dir, 'oclif.manifest.json'), 'utf8'));
    return Object.values<KnownCommand>(commands)
      .filter(({ hidden }) => !hidden)
      .flatMap((command) =>
        [command.id, ...(command.aliases ?? [])].map((id): [string, KnownCommand] => [
          id.replaceAll(':', ' '),
          command,
        ]),
      );
  } catch {
    return [];
  }
}

/** Every command of svc and of the packages that add commands to it, by its words. */
async function readKnownCommands(root: string, home: string): Promise<Map<string, KnownCommand>> {
  const dir = toCommandsDir(home);
  const plugins = await readPluginList(dir).catch(() => []);
  const roots = plugins.map((plugin) =>
    plugin.type === 'link' ? plugin.root : join(dir, 'node_modules', plugin.name),
  );
  const lists = await Promise.all([...roots, root].map(readCommandsOfManifest));
  return new Map(lists.flat());
}

/** The line by which the shell is asked to complete names of files. */
const FILES = ':files';

/** Values that a shell takes as one word without quotes; others are not offered. */
const PLAIN = /^[\w./:@+,=-]+$/;

const findFlagByWord = (word: string, flags: readonly KnownFlag[]): KnownFlag | undefined =>
  flags.find(({ name, char }) => word === `--${name}` || word === `-${char}`);

const takesValue = (flag: KnownFlag | undefined): flag is KnownFlag => flag?.type === 'option';

/** The command that the words begin with, and how many of them name it. */
function findLeadingCommand(
  words: readonly string[],
  commands: ReadonlyMap<string, KnownCommand>,
): { command: KnownCommand; count: number } | null {
  for (let count = words.length; count > 0; count--) {
    const command = commands.get(words.slice(0, count).join(' '));
    if (command) return { command, count };
  }
  return null;
}

/** The next words of commands that begin with these. */
function listNextWords(
  before: readonly string[],
  commands: ReadonlyMap<string, KnownCommand>,
): Candidate[] {
  const start = before.map((word) => `${word} `).join('');
  const candidates = new Map<string, string>();
  for (const [words, { summary = '' }] of commands) {
    if (!words.startsWith(start)) continue;
    const [next = '', ...rest] = words.slice(start.length).split(' ');
    if (rest.length === 0 || !candidates.has(next))
      candidates.set(next, rest.length === 0 ? summary : '');
  }
  candidates.delete('');
  if (before.length === 0) candidates.set('help', 'Show help for a command.');
  return [...candidates];
}

const listFlagWords = (flags: readonly KnownFlag[], usedWords: readonly string[]): Candidate[] =>
  flags
    .filter(
      ({ name, char, multiple }) =>
        multiple || !usedWords.some((word) => word === `--${name}` || word === `-${char}`),
    )
    .flatMap(({ name, allowNo, description = '' }): Candidate[] => [
      [`--${name}`, description],
      ...(allowNo ? [[`--no-${name}`, ''] as const] : []),
    ]);

/** Which of the words are arguments of the command, and which job they name. */
function readArgumentWords(words: readonly string[], command: KnownCommand) {
  const flags = Object.values(command.flags);
  const givenFlags: string[] = [];
  const commandsByName = new Map<string, string>();
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    const flag = findFlagByWord(word, flags);
    if (takesValue(flag)) commandsByName.set(flag.name, words[++at] ?? '');
    else if (!word.startsWith('-')) givenFlags.push(word);
  }
  // Objects that a flag names are not arguments.
  const open = Object.values(command.args).filter(({ name }) => !commandsByName.has(name));
  const jobAt = open.findIndex(({ name }) => name === 'job');
  return {
    next: open[givenFlags.length],
    job: commandsByName.get('job') ?? givenFlags[jobAt] ?? null,
  };
}

async function listCompletionCandidates(
  words: readonly string[],
  root: string,
  place: CompletionHome,
): Promise<readonly Candidate[] | null> {
  const before = words.slice(0, -1);
  const current = words.at(-1) ?? '';
  const commands = await readKnownCommands(root, place.home);
  const leadingCommand = findLeadingCommand(before, commands);
  if (before[0] === 'help') return listNextWords(before.slice(1), commands);
  if (leadingCommand === null) return listNextWords(before, commands);
  const { command, count } = leadingCommand;
  const flags = Object.values(command.flags).filter(({ hidden }) => !hidden);
  const after = before.slice(count);
  const { next, job } = readArgumentWords(after, command);
  const flag = findFlagByWord(before.at(-1) ?? '', flags);
  if (takesValue(flag))
    return flag.options?.map((one) => [one, '']) ?? listValueCandidates(flag.name, place, job);
  if (current.startsWith('-')) return listFlagWords(flags, after);
  const below = after.length === 0 ? listNextWords(before, commands) : [];
  if (next === undefined) return below;
  const values =
    next.options?.map((one): Candidate => [one, '']) ??
    (await listValueCandidates(next.name, place, job));
  return values === null && below.length === 0 ? null : [...below, ...(values ?? [])];
}

/**
 * What may be written in place of the last word of `words` (those after `svc`), for a shell: a line
 * each, the word and, after a tab, what it is; `:files` asks for names of files. Says nothing where
 * nothing fits or no runner answers. Never rejects.
 */
export async function complete(
  words: readonly string[],
  env: Env,
  homeDir: string,
): Promise<string> {
  try {
    const home = resolveHomeFolder(readHomeVariable(env), homeDir);
    const current = words.at(-1) ?? '';
    const candidates = await listCompletionCandidates(words, findPackageRoot(import.meta.url), {
      env,
      homeDir,
      home,
    });
    if (candidates === null) return `${FILES}\n`;
    const fitting = new Map(
      candidates.filter(([value]) => value.startsWith(current) && PLAIN.test(value)),
    );
    return [...fitting].map(([value, about]) => `${value}\t${about.split('\n')[0]}\n`).join('');
  } catch {
    return '';
  }
}
