import { read } from '../../../scripts/checks/projectFiles.ts';
import { listFences } from '../../../scripts/docs/markdownFiles.ts';

/** One command of a `console` block, typed by a person, and what it prints. */
export interface ConsoleStep {
  person: string;
  command: string;
  /** Lines that the page shows. Empty = it shows none, and nothing is compared. */
  shown: string[];
  /** 1-based, in the page. */
  line: number;
}

const PROMPT = /^(\w+)\$ (.*)$/;

/** The commands of a page in their order, with who types them: a prompt is `ada$ `. */
export function readConsoleSteps(page: string): ConsoleStep[] {
  const steps: ConsoleStep[] = [];
  for (const { language, line, text } of listFences(read(page))) {
    if (language !== 'console') continue;
    let current: ConsoleStep | null = null;
    for (const [n, row] of text.split('\n').entries()) {
      const [, person, command] = PROMPT.exec(row) ?? [];
      if (person !== undefined && command !== undefined) {
        current = { person, command, shown: [], line: line + n };
        steps.push(current);
      } else current?.shown.push(row);
    }
  }
  return steps;
}

/** What differs from run to run, and later commands name: ids of jobs, pairing codes. */
const NAMES = /\b(?:[a-z]+-job-\d{13}|[0-9A-Z]{5}-[0-9A-Z]{5})\b/g;

const escapePattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** A shown line as a pattern: `…` and what is different on each machine stand for anything. */
function toLinePattern(row: string): string {
  if (row === '…') return '(?:[^\\n]*\\n)*?';
  const parts = row.split(NAMES).map((part) =>
    escapePattern(part)
      .replace(/\d+(?:\\\.\d+)+(?=[ ,])/g, '\\d+(?:\\.\\d+)*')
      .replace(/just now/g, '(?:just now|\\d+ s ago)')
      .replace(/ {2,}/g, ' +')
      .replace(/…/g, '[^\\n]*'),
  );
  return `${parts.join('([\\w-]+)')}\\n`;
}

/**
 * Compares what a command has printed with what the page shows of it. Gives the names that the page uses with what
 * they are in this run; null = they differ.
 */
export function matchShown(lines: readonly string[], printed: string): Map<string, string> | null {
  const rows = lines.at(-1) === '' ? lines.slice(0, -1) : lines;
  const match = new RegExp(`^${rows.map(toLinePattern).join('')}$`).exec(
    printed.endsWith('\n') || printed === '' ? printed : `${printed}\n`,
  );
  if (match === null) return null;
  const names = rows.flatMap((row) => (row === '…' ? [] : (row.match(NAMES) ?? [])));
  return new Map(names.map((name, n) => [name, match[n + 1] ?? '']));
}
