import { readFileSync } from 'node:fs';
import { MANIFEST_FILE } from '../oclifManifest.ts';

interface FlagEntry {
  name: string;
  char?: string;
  allowNo?: boolean;
}

interface CommandEntry {
  flags: Readonly<Record<string, FlagEntry>>;
}

/** Flags of `svc tool`, which reads its arguments itself. */
const TOOL_FLAGS = ['--text', '--list', '--json', '--help'];
const EVERYWHERE = ['--help', '-h', '--version'];

const commands: Readonly<Record<string, CommandEntry>> = JSON.parse(
  readFileSync(MANIFEST_FILE, 'utf8'),
).commands;
const topics = new Set(
  Object.keys(commands).flatMap((id) => (id.includes(':') ? [id.split(':')[0]] : [])),
);
const builtIn = ['help', 'autocomplete', 'version'];
/** Made up in a text on how packages add commands. */
const MADE_UP = ['pr mine'];

/** The command that the words begin with; null = none. */
function findCommand(words: readonly string[]): { id: string; entry: CommandEntry } | null {
  for (let count = Math.min(3, words.length); count > 0; count--) {
    const id = words.slice(0, count).join(':');
    const entry = commands[id];
    if (entry) return { id, entry };
  }
  return null;
}

const listFlags = (id: string, entry: CommandEntry): string[] => [
  ...EVERYWHERE,
  ...(id === 'tool' ? TOOL_FLAGS : []),
  ...Object.values(entry.flags).flatMap(({ name, char, allowNo }) => [
    `--${name}`,
    ...(char === undefined ? [] : [`-${char}`]),
    ...(allowNo ? [`--no-${name}`] : []),
  ]),
];

function callProblems(words: readonly string[]): string[] {
  const plain = words.findIndex((word) => !/^[a-z][a-z-]*$/.test(word));
  const commandWords = plain < 0 ? words : words.slice(0, plain);
  const [first] = commandWords;
  if (first === undefined || builtIn.includes(first)) return [];
  if (MADE_UP.includes(commandWords.join(' '))) return [];
  const command = findCommand(commandWords);
  if (command === null) {
    const isTopic = topics.has(first) && commandWords.length === 1;
    return isTopic ? [] : [`there is no command svc ${commandWords.slice(0, 2).join(' ')}`];
  }
  const known = listFlags(command.id, command.entry);
  const unknown = words
    .filter((word) => /^--?[a-z]/.test(word))
    .map((word) => word.replace(/=.*$/, ''))
    .filter((flag) => !known.includes(flag));
  return unknown.map((flag) => `svc ${command.id.replaceAll(':', ' ')} has no flag ${flag}`);
}

/**
 * Calls of `svc` in a shell text that name commands or flags that do not exist. Quoted text is not
 * looked into, so that the words of a description are not flags.
 */
export function svcProblems(text: string): string[] {
  const code = text
    .replace(/\\\n/g, ' ')
    .replace(/'[^']*'|"(?:\\.|[^"\\])*"/g, 'x')
    .replace(/(^|\s)#.*$/gm, '$1');
  return [...code.matchAll(/(?:^|[\s;&|(])svc[ \t]+([^\n;&|)]*)/g)].flatMap(([, call = '']) =>
    callProblems(call.trim().split(/\s+/)),
  );
}
