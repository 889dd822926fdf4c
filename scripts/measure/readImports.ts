import { dirname, join } from 'node:path';
import ts from 'typescript';

/** The files that a module imports by a relative path, types included, from the project's root. */
export const readImports = (file: string, text: string): string[] =>
  ts
    .preProcessFile(text, true, true)
    .importedFiles.map(({ fileName }) => fileName)
    .filter((name) => name.startsWith('.'))
    .map((name) => join(dirname(file), name.split('?')[0] ?? name));
