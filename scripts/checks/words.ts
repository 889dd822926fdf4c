import type { Check } from './check.ts';
import { read, sourceFiles } from './projectFiles.ts';

/** Put together from parts, so that this file and its test do not find themselves. */
const word = (...parts: string[]) => parts.join('');

const FORBIDDEN: readonly (readonly [RegExp, string])[] = [
  [
    new RegExp(word('\\b(TO', 'DO|FIX', 'ME|XX', 'X|HA', 'CK)\\b')),
    'unfinished work: do it, or list it in CHANGELOG.md as pending',
  ],
  [new RegExp(word('\\.on', 'ly\\(')), 'it prevents all other tests from running'],
  [new RegExp(word('\\.sk', 'ip\\(')), 'a disabled test: fix or delete it'],
  [new RegExp(word('@ts-', '(ignore|nocheck)')), 'the compiler is silenced: fix the type'],
  [
    new RegExp(word('\\bas unkn', 'own as\\b')),
    'a cast that proves nothing: check the value, or fix the type',
  ],
  [
    new RegExp(word('depcruise', '-ignore|dependency-cruiser', '-disable')),
    'the import table holds for every file',
  ],
  [new RegExp(word('biome-ign', 'ore-(all|start)')), 'silence one line, with the reason'],
];

export function wordProblems(file: string, text: string): string[] {
  return text.split('\n').flatMap((line, index) =>
    FORBIDDEN.flatMap(([pattern, advice]) => {
      const match = pattern.exec(line);
      return match ? [`${file}:${index + 1}: "${match[0]}": ${advice}`] : [];
    }),
  );
}

export const words: Check = {
  name: 'words',
  async run() {
    const files = sourceFiles();
    return {
      looked: files.length,
      at: 'source files',
      problems: files.flatMap((file) => wordProblems(file, read(file))),
    };
  },
};
