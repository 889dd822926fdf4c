import { parseJsonOrNull } from '../../base/json/parseJsonOrNull.ts';
import { clip } from '../../base/text/clip.ts';
import { readDeclaredCommand, readGrantedWrites, type TrustCandidate } from './trustCandidates.ts';
import { CHECKOUT_FILE, listCheckoutScripts } from '../definition/parseCheckoutFile.ts';
import { parseFrontMatter } from '../definition/parseFrontMatter.ts';

/** Most lines that are shown of one file. */
const MAX_LINES = 100;
/** Longest shown line, characters; a cut is marked. */
const MAX_LINE_CHARS = 2_000;
const DEEPEST = 20;
const SHELL_LINE = /!`([^`\n]+)`/g;

const quoteShellWord = (word: string): string =>
  /^[\w@%+=:,./{}-]+$/.test(word) ? word : JSON.stringify(word);
const formatCommandLine = (words: readonly string[]): string => words.map(quoteShellWord).join(' ');
const filterTexts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];

/**
 * Programs with their variables, and addresses, in maps at any depth: hooks, servers and whatever
 * hosts invent next.
 */
function listProgramsAndAddresses(value: unknown, name = '', depth = 0): string[] {
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return [];
  const members = Object.entries(value);
  const { command, args, env, url, plugin, plugins }: Record<string, unknown> = Object(value);
  const label = name === '' || /^\d+$/.test(name) ? '' : `${name}: `;
  const variables = Object.entries(Object(env)).map(
    ([key, text]) => `${key}=${quoteShellWord(String(text))}`,
  );
  // Variables alone can send an agent's requests and keys elsewhere.
  const words =
    typeof command === 'string'
      ? [command, ...filterTexts(args).map(quoteShellWord)]
      : filterTexts(command).map(quoteShellWord);
  const own = words.length > 0 ? [[...variables, ...words].join(' ')] : [...variables];
  own.push(
    ...[...filterTexts(plugin), ...filterTexts(plugins)].map(
      (name) => `plugin ${quoteShellWord(name)}`,
    ),
  );
  if (typeof url === 'string') own.push(url);
  return [
    ...own.map((line) => `${label}${line}`),
    ...members.flatMap(([key, inner]) => listProgramsAndAddresses(inner, key, depth + 1)),
  ];
}

/**
 * A person decides by this text, so invisible characters and those that reverse text are written
 * out.
 */
function showHiddenCharacters(line: string): string {
  const cut = clip(line, MAX_LINE_CHARS, () => `… (${line.length} characters)`);
  return cut.replace(/\p{C}/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}

/** What the file would start or reach, one line each, as far as readable. */
export function listWhatRuns(file: Pick<TrustCandidate, 'path' | 'bytes'>): string[] {
  const lines = [...new Set(listRunLines(file))];
  const more = lines.length > MAX_LINES ? [`… and ${lines.length - MAX_LINES} more`] : [];
  return [...lines.slice(0, MAX_LINES).map(showHiddenCharacters), ...more];
}

function listRunLines({ path, bytes }: Pick<TrustCandidate, 'path' | 'bytes'>): string[] {
  const text = new TextDecoder().decode(bytes);
  if (path.endsWith('.json')) return listProgramsAndAddresses(parseJsonOrNull(text));
  if (!path.endsWith('.md')) return [];
  if (path === `.svc/${CHECKOUT_FILE}`) return listCheckoutScripts(text, path);
  const command = readDeclaredCommand(path, bytes);
  const shellLines = [...text.matchAll(SHELL_LINE)].map(([, line = '']) => line);
  return [
    ...(command === null || command.length === 0 ? [] : [formatCommandLine(command)]),
    ...listProgramsAndAddresses(parseFrontMatter(text, path).data),
    ...shellLines,
    ...readGrantedWrites(path, bytes).map((place) => `writes to ${place}`),
  ];
}
