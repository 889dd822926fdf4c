import type { Check } from './check.ts';
import { projectFiles, read } from './projectFiles.ts';

const TABLE_FILE = 'CONTRIBUTING.md';
const HEADER = '| Instead of | Write |';
const USER_HEADER = '| Instead of, in text that users read | Write |';
/** Where such texts are: strings of the program, and guides. */
const FOR_USERS =
  /^(?:(?:ui|cli|src|machines)\/.*\.tsx?|docs\/(?:guides|concepts|operations)\/.*\.md|README\.md)$/;
/** A line that is a comment, or the end of one that has a comment behind it. */
const COMMENT = /^\s*(?:\/\/|\/?\*|\{\/\*).*$|\s\/\/ .*$/;

/** Texts that are kept: recorded runs, output of earlier versions, the project's history. */
const KEPT =
  /^(?:scripts\/checks\/oldWords\.ts$|test\/fixtures\/|CHANGELOG\.md$|package-lock\.json$|oclif\.manifest\.json$)/;
const TEXTS = /\.(?:ts|tsx|js|mjs|md|css|html)$/;

/** Places whose words are stored or recorded, and cannot change with the text around them. */
const STORED: readonly { files: RegExp; word: string; because: string }[] = [
  {
    files:
      /^src\/(?:jobs\/store\/(?:migrations\/unreleased|shapes\/forgeShapes)|contract\/records\/(?:tables|forgeTables))\.ts$/,
    word: 'told',
    because: 'a column of pr_checks',
  },
  {
    files: /^test\/(?:kernel\/|support\/charts\/orderChart\.ts$)/,
    word: 'told',
    because: 'an event of the order chart, sent to its recorded snapshot',
  },
  {
    files: /^(?:src|test)\/forges\/inbound\/polling\/reportGreenChecks(?:\.test)?\.ts$/,
    word: 'told',
    because: 'a column of pr_checks',
  },
  {
    files: /^test\/support\/charts\/orderChart\.ts$/,
    word: 'nobody',
    because: 'an effect of the order chart, in its recorded snapshot',
  },
  ...['lap', 'laps'].map((word) => ({
    files:
      /^(?:machines\/job\/rules\/collectRatingFacts|src\/(?:policy\/decisions\/|host\/config\/settings\/|jobs\/create\/createJob|contract\/schema\/)|bench\/|test\/(?:host\/config\/settings|policy\/decisions|sim\/(?:world|weekend\/faults)|support\/decisions)|docs\/reference\/(?:cloud-)?http)/,
    word,
    because:
      'a count of the stored digest, and a member of settings and descriptions that are published',
  })),
  {
    files: /^(?:src\/contract\/schema\/job\/parked\.ts|docs\/reference\/http\.md)$/,
    word: 'gone round',
    because: 'a description of the published API',
  },
  ...['go on', 'goes on', 'somebody', 'told'].map((word) => ({
    files: /^test\/histories\/scenes\.ts$/,
    word,
    because: 'the names and texts of recorded lives of jobs',
  })),
];

const isStored = (file: string, word: string): boolean =>
  STORED.some((entry) => entry.files.test(file) && entry.word === word.toLowerCase());

export interface OldWord {
  pattern: RegExp;
  instead: string;
}

/** The words of the table in a Markdown text. Throws where it has no such table. */
export const oldWords = (markdown: string): OldWord[] => readTable(markdown, HEADER, 'i');

/** The names that no text for users may have, in the case that they are written in. */
export const oldNames = (markdown: string): OldWord[] => readTable(markdown, USER_HEADER, '');

function readTable(markdown: string, header: string, flags: string): OldWord[] {
  const lines = markdown.split('\n');
  const first = lines.indexOf(header);
  if (first < 0) throw new Error(`${TABLE_FILE} has no table ${header}`);
  const body = lines.slice(first + 2);
  const end = body.findIndex((line) => !line.startsWith('|'));
  return body.slice(0, end < 0 ? body.length : end).flatMap((line) => {
    const [old = '', instead = ''] = line.split('|').slice(1, -1);
    return [...old.matchAll(/`([^`]+)`/g)].map(([, phrase = '']) => ({
      pattern: new RegExp(`\\b${phrase}(?!\\w)`, flags),
      instead: instead.trim(),
    }));
  });
}

/** Old words in a text: place, words, and what to write. The table itself is left out. */
export function oldWordProblems(file: string, text: string, words: readonly OldWord[]): string[] {
  const table = file === TABLE_FILE;
  return text.split('\n').flatMap((line, index) => {
    if (table && /^\| (?:`|[a-z ]+ \|)/.test(line)) return [];
    return words.flatMap(({ pattern, instead }) => {
      const match = pattern.exec(line);
      return match && !isStored(file, match[0])
        ? [`${file}:${index + 1}: "${match[0]}": write ${instead}`]
        : [];
    });
  });
}

/** Old names in a text for users: as `oldWordProblems`, without the comments of a program. */
export function oldNameProblems(file: string, text: string, names: readonly OldWord[]): string[] {
  if (!FOR_USERS.test(file)) return [];
  const isCode = !file.endsWith('.md');
  return text.split('\n').flatMap((line, index) => {
    const read = isCode ? line.replace(COMMENT, '') : line;
    return names.flatMap(({ pattern, instead }) => {
      const match = pattern.exec(read);
      return match ? [`${file}:${index + 1}: "${match[0]}": users read "${instead}"`] : [];
    });
  });
}

export const plainWords: Check = {
  name: 'plain words',
  async run() {
    const words = oldWords(read(TABLE_FILE));
    const names = oldNames(read(TABLE_FILE));
    const files = projectFiles().filter((file) => TEXTS.test(file) && !KEPT.test(file));
    return {
      looked: files.length,
      at: 'texts',
      problems: files.flatMap((file) => [
        ...oldWordProblems(file, read(file), words),
        ...oldNameProblems(file, read(file), names),
      ]),
    };
  },
};
