import { basename } from 'node:path';
import type { Check } from './check.ts';
import { read, sourceFiles } from './projectFiles.ts';

/** Longest source file outside test/, lines. */
const MAX_LINES = 320;

/** A generated file is read in its sources, whose length is checked. */
const GENERATED = /\.generated\.ts$/;

/** The migrations of a release are one file: they are never edited, and are read in order. */
const MIGRATIONS = /\/migrations\/(release\d+|unreleased)\.ts$/;

/** Names that say nothing about the content, so that everything ends up there. */
const EMPTY_NAME = /^(utils?|helpers?|common|misc|types)$/;

export function fileProblems(file: string, text: string): string[] {
  const problems: string[] = [];
  const name = basename(file).split('.')[0] ?? '';
  if (EMPTY_NAME.test(name))
    problems.push(
      `${file}: the name "${name}" does not say what is inside. Name it by what it does.`,
    );
  const lines = text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
  if (
    lines > MAX_LINES &&
    !file.startsWith('test/') &&
    !GENERATED.test(file) &&
    !MIGRATIONS.test(file)
  ) {
    problems.push(`${file}: ${lines} lines, at most ${MAX_LINES}. Split it by what its parts do.`);
  }
  return problems;
}

export const fileRules: Check = {
  name: 'files',
  async run() {
    const files = sourceFiles();
    return {
      looked: files.length,
      at: 'source files',
      problems: files.flatMap((file) => fileProblems(file, read(file))),
    };
  },
};
