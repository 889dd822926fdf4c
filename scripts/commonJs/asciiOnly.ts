import { parseStatements, visit } from './syntax.ts';

const BEYOND = /[^\0-\x7f]/;
const EVERY = /[^\0-\x7f]/g;

const escapeUnit = (unit: string): string =>
  `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

/**
 * A module in ASCII only: V8 keeps such a text in half the memory and loads it without decoding.
 * esbuild leaves other characters only in comments and regular expressions, where an escape means
 * the same; throws for any other place.
 */
export function asciiOnly(file: string, source: string): string {
  if (!BEYOND.test(source)) return source;
  for (const statement of parseStatements(source))
    visit(statement, ({ type, value, start, end }) => {
      const isText = type === 'Literal' ? typeof value === 'string' : /^Tem.*nt$|^Id/.test(type);
      if (isText && BEYOND.test(source.slice(start, end)))
        throw new Error(`${file}: esbuild left ${source.slice(start, end)} as it was`);
    });
  return source.replaceAll(EVERY, escapeUnit);
}
