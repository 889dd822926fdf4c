import { projectFiles } from '../checks/projectFiles.ts';

/**
 * Documents of the project, not of its data: fixtures, prompts of agents and their corpus are left out.
 */
const isDocument = (file: string): boolean =>
  /^(README|ARCHITECTURE|CONTRIBUTING|CHANGELOG)\.md$/.test(file) ||
  /^docs\/.*\.md$/.test(file) ||
  (/\/(README|RULES|CONTRACT|ATTACKS)\.md$/.test(file) &&
    !/^(test\/fixtures|intelligence\/memory)\//.test(file));

export const markdownFiles = (): string[] => projectFiles().filter(isDocument);

export interface Fence {
  /** Word after the opening backticks; empty = none. */
  language: string;
  /** Line of the first line within, 1-based. */
  line: number;
  text: string;
  /** Reason in the comment `<!-- not run: … -->` directly above; null = none exists. */
  notRun: string | null;
}

export function listFences(text: string): Fence[] {
  const lines = text.split('\n');
  const fences: Fence[] = [];
  for (let at = 0; at < lines.length; at++) {
    const [, indent = '', ticks, language = ''] =
      /^(\s*)(`{3,}|~{3,})\s*([\w-]*)/.exec(lines[at] ?? '') ?? [];
    if (ticks === undefined) continue;
    const above = lines.slice(0, at).findLast((line) => line.trim() !== '') ?? '';
    const reason = /^\s*<!--\s*not run:\s*(.*?)\s*-->\s*$/.exec(above)?.[1];
    const first = at + 1;
    do at++;
    while (at < lines.length && !(lines[at] ?? '').trim().startsWith(ticks));
    const inner = lines.slice(first, at).map((line) => line.replace(indent, ''));
    fences.push({ language, line: first + 1, text: inner.join('\n'), notRun: reason ?? null });
  }
  return fences;
}

/** The document without its fenced blocks, line for line. */
export function withoutFences(text: string): string {
  const lines = text.split('\n');
  for (const { line, text: inner } of listFences(text)) {
    const count = inner.split('\n').length;
    lines.fill('', line - 2, line + count);
  }
  return lines.join('\n');
}
