/**
 * The golden list of error messages: for each code, every text that the sources write beside it in
 * `new SvcError(code, text)`. Parts that are filled in are shown as `<name>`, or `<…>`. Texts that
 * another function writes are not in it.
 */
import { ERROR_CODES } from '../../src/base/errors/errors.ts';
import { projectFiles, read } from '../checks/projectFiles.ts';

export const ERROR_MESSAGES_FILE = 'test/pins/errorMessages.txt';

const CALL = /new SvcError\(\s*'([a-z-]+)',\s*/g;
/** Longest expression of a text that is read, characters. */
const MAX_EXPRESSION_CHARS = 4_000;

/** The index after a string or template that begins at `at`. */
function skipLiteral(source: string, at: number): number {
  const quote = source[at];
  for (let next = at + 1; next < source.length; next++) {
    if (source[next] === '\\') next++;
    else if (source[next] === quote) return next + 1;
    else if (quote === '`' && source.startsWith('${', next)) next = skipPart(source, next + 2) - 1;
  }
  return source.length;
}

/** The index after the brace that closes a filled-in part whose text begins at `at`. */
function skipPart(source: string, at: number): number {
  let depth = 1;
  for (let next = at; next < source.length; next++) {
    const sign = source[next] ?? '';
    if ('\'"`'.includes(sign)) next = skipLiteral(source, next) - 1;
    else if (sign === '{') depth++;
    else if (sign === '}' && --depth === 0) return next + 1;
  }
  return source.length;
}

/** A literal as people see it, with its filled-in parts named. */
function toTemplate(literal: string): string {
  let text = '';
  for (let at = 1; at < literal.length - 1; at++) {
    if (literal[0] === '`' && literal.startsWith('${', at)) {
      const end = skipPart(literal, at + 2);
      const [name] = /^[\w.]*\w$/.exec(literal.slice(at + 2, end - 1)) ?? ['…'];
      text += `<${name}>`;
      at = end - 1;
    } else if (literal[at] === '\\') {
      text += literal[at + 1] === 'n' ? ' ' : (literal[at + 1] ?? '');
      at++;
    } else text += literal[at];
  }
  return text;
}

/** The literals of the argument that begins at `from`, without those in calls within it. */
function listTemplates(source: string, from: number): string[] {
  const templates: string[] = [];
  let depth = 0;
  for (let at = from; at < Math.min(source.length, from + MAX_EXPRESSION_CHARS); at++) {
    const sign = source[at] ?? '';
    if ('\'"`'.includes(sign)) {
      const end = skipLiteral(source, at);
      if (depth === 0) templates.push(toTemplate(source.slice(at, end)));
      at = end - 1;
    } else if ('([{'.includes(sign)) depth++;
    else if (')]}'.includes(sign)) {
      if (depth === 0) break;
      depth--;
    } else if (sign === ',' && depth === 0) break;
  }
  return templates.filter((text) => text.includes(' '));
}

export function renderErrorMessages(): string {
  const byCode = new Map<string, Set<string>>(
    Object.keys(ERROR_CODES).map((name) => [name, new Set()]),
  );
  const files = projectFiles().filter((file) => /^(?:src|cli|machines)\/.*\.ts$/.test(file));
  for (const file of files) {
    const source = read(file);
    for (const call of source.matchAll(CALL))
      for (const text of listTemplates(source, call.index + call[0].length))
        byCode.get(call[1] ?? '')?.add(text);
  }
  const parts = [...byCode].map(
    ([name, texts]) =>
      `## ${name}\n${[...texts]
        .sort()
        .map((text) => `${text}\n`)
        .join('')}`,
  );
  return `Generated from the sources by npm run reference: every message of each error code.\n\n${parts.join('\n')}`;
}
