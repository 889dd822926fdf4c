import { read } from '../checks/projectFiles.ts';
import { listFences, markdownFiles } from './markdownFiles.ts';

/** Languages of blocks that a reader is meant to type. */
const SHELL = ['sh', 'bash', 'shell', 'console'];

/** One command of a block: its lines, those of a here-document included. */
export interface Statement {
  text: string;
  /** 1-based, in the document. */
  line: number;
}

export interface CommandBlock {
  file: string;
  line: number;
  notRun: string | null;
  statements: readonly Statement[];
}

/** Splits a block into commands. In a `console` block only lines after `$ ` are commands. */
export function listStatements(text: string, firstLine = 1, isConsole = false): Statement[] {
  const lines = text.split('\n');
  const statements: Statement[] = [];
  for (let at = 0; at < lines.length; at++) {
    const start = at;
    const first = lines[at] ?? '';
    if (first.trim() === '' || /^\s*#/.test(first)) continue;
    if (isConsole && !first.startsWith('$ ')) continue;
    const statementLines = [isConsole ? first.slice(2) : first];
    while (statementLines.at(-1)?.endsWith('\\') && at + 1 < lines.length)
      statementLines.push(lines[++at] ?? '');
    const ending = /<<-?\s*(['"]?)(\w+)\1/.exec(statementLines.join('\n'))?.[2];
    while (
      ending !== undefined &&
      statementLines.at(-1)?.trim() !== ending &&
      at + 1 < lines.length
    )
      statementLines.push(lines[++at] ?? '');
    statements.push({ text: statementLines.join('\n'), line: firstLine + start });
  }
  return statements;
}

export const commandBlocks = (): CommandBlock[] =>
  markdownFiles().flatMap((file) =>
    listFences(read(file))
      .filter(({ language }) => SHELL.includes(language))
      .map(({ language, line, text, notRun }) => ({
        file,
        line,
        notRun,
        statements: listStatements(text, line, language === 'console'),
      })),
  );
