import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser';
import { toErrorMessage, SvcError } from '../base/errors/errors.ts';

/** Largest package.json that is read, characters. */
const MAX_PACKAGE_JSON_CHARS = 256 * 1024;

/** The members of a package.json that svc reads; untrusted. */
export interface PackageJson {
  svc?: unknown;
  oclif?: unknown;
  version?: unknown;
  dependencies?: unknown;
}

/** The parser's error code as words: `ValueExpected` → `value expected`. */
const wordParseCode = (code: string): string => code.replace(/(?<!^)([A-Z])/g, ' $1').toLowerCase();

/** The first JSON mistake with its place: `package.json:3:5: value expected`. */
function locateJsonMistake(file: string, text: string): string {
  const errors: ParseError[] = [];
  parse(text, errors, { disallowComments: true, allowTrailingComma: false });
  const [first] = errors;
  if (!first) return `${file} is not JSON`;
  const before = text.slice(0, first.offset).split('\n');
  const column = (before.at(-1)?.length ?? 0) + 1;
  return `${file}:${before.length}:${column}: ${wordParseCode(printParseErrorCode(first.error))}`;
}

/**
 * Reads the package.json of a folder; messages call the file `shownName`. Throws SvcError `invalid`.
 */
export async function readPackageJson(
  dir: string,
  shownName = 'package.json',
): Promise<PackageJson> {
  let text: string;
  try {
    text = await readFile(join(dir, 'package.json'), 'utf8');
  } catch (error) {
    throw new SvcError('invalid', `${shownName} cannot be read: ${toErrorMessage(error)}.`, {
      cause: error,
    });
  }
  if (text.length > MAX_PACKAGE_JSON_CHARS)
    throw new SvcError(
      'invalid',
      `${shownName} is larger than ${MAX_PACKAGE_JSON_CHARS} characters.`,
    );
  try {
    return Object(JSON.parse(text));
  } catch {
    throw new SvcError('invalid', `${locateJsonMistake(shownName, text)}. The file must be JSON.`);
  }
}
