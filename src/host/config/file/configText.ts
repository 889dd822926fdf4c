import {
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser';
import { type FieldError, SvcError } from '../../../base/errors/errors.ts';

const MAX_CONFIG_CHARS = 1_048_576;
/** The parser calls itself for each level. */
const MAX_DEPTH = 200;
/** Each costs a look through the text; the next ones are shown when these are corrected. */
const MAX_ERRORS = 50;

/** Text of a config file and the tree of its JSON; every node knows where it stands. */
export interface ConfigText {
  file: string;
  root: Node;
  /** `<file>:<line>:<column>` of an offset, both from 1. */
  formatPlace(offset: number): string;
}

/** By the parser's name of the error. */
const SYNTAX: Readonly<Record<string, string>> = {
  InvalidSymbol:
    'This is not a JSON value. Write text in double quotes, or a number, true, false, null, { } or [ ].',
  InvalidNumberFormat: 'This is not a valid JSON number.',
  PropertyNameExpected:
    'A key in double quotes is expected here. No comma may follow the last entry.',
  ValueExpected: 'A value is expected here. No comma may follow the last entry.',
  ColonExpected: 'A colon is expected between key and value.',
  CommaExpected: 'A comma is expected between entries.',
  CloseBraceExpected: 'A closing } is missing.',
  CloseBracketExpected: 'A closing ] is missing.',
  EndOfFileExpected: 'Nothing may follow the closing }. Remove the rest.',
  InvalidCommentToken: 'JSON has no comments. Remove it.',
  UnexpectedEndOfComment: 'JSON has no comments. Remove it.',
  UnexpectedEndOfString: 'This text is not closed. Add the closing double quote.',
};

const describeSyntaxError = (error: ParseError): string =>
  SYNTAX[printParseErrorCode(error.error)] ??
  'This is not allowed in a JSON text. Write a backslash as \\\\.';

/** Whether lists and maps are nested deeper than {@link MAX_DEPTH}. */
function isTooDeep(text: string): boolean {
  let depth = 0;
  for (const [mark] of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]/g)) {
    if (mark === '[' || mark === '{') depth += 1;
    else if (mark === ']' || mark === '}') depth -= 1;
    if (depth > MAX_DEPTH) return true;
  }
  return false;
}

/** Parses strict JSON. Throws SvcError `config-invalid` that names the syntax errors. */
export function parseConfigText(file: string, raw: string): ConfigText {
  if (raw.length > MAX_CONFIG_CHARS) {
    throw new SvcError(
      'config-invalid',
      `The configuration file ${file} is longer than ${MAX_CONFIG_CHARS} characters. Is this the right file?`,
    );
  }
  const text = raw.replace(/^\uFEFF/, '');
  const at = (offset: number): string => {
    const before = text.slice(0, offset).split(/\r\n|\n|\r/);
    return `${file}:${before.length}:${(before.at(-1)?.length ?? 0) + 1}`;
  };
  if (isTooDeep(text))
    throw new SvcError(
      'config-invalid',
      `The configuration file ${file} has more than ${MAX_DEPTH} levels of lists and maps. Is this the right file?`,
    );
  const parseErrors: ParseError[] = [];
  const root = parseTree(text, parseErrors, { disallowComments: true, allowTrailingComma: false });
  // One error makes the parser report more right after it: only the first of a line needs a fix.
  const dropColumn = (pointer: string): string => pointer.slice(0, pointer.lastIndexOf(':'));
  const errors = parseErrors
    .slice(0, MAX_ERRORS)
    .map(
      (error): FieldError => ({ pointer: at(error.offset), message: describeSyntaxError(error) }),
    )
    .filter(
      ({ pointer }, index, all) =>
        all.findIndex((other) => dropColumn(other.pointer) === dropColumn(pointer)) === index,
    );
  if (errors.length === 0 && root?.type !== 'object') {
    errors.push({
      pointer: at(root?.offset ?? 0),
      message: 'The file must hold one JSON object. Write {} for the defaults.',
    });
  }
  if (root === undefined || errors.length > 0) throw createInvalidConfigError(file, errors);
  return { file, root, formatPlace: at };
}

/** The error for a file with errors: all of them at once, in the order of the file. */
export function createInvalidConfigError(file: string, errors: readonly FieldError[]): SvcError {
  const count = errors.length === 1 ? 'an error' : `${errors.length} errors`;
  return new SvcError(
    'config-invalid',
    `The configuration file ${file} has ${count}. It was not changed.`,
    { errors },
  );
}

/**
 * The plain value of the tree. The parser's own objects have no prototype and would be equal to
 * nothing that JSON.parse makes.
 */
export const toConfigValue = (text: ConfigText): unknown =>
  structuredClone(getNodeValue(text.root));
