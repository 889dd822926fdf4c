import { type ParseErrorCode, printParseErrorCode, visit } from 'jsonc-parser';

/** Deepest nesting of a body; a deeper one would overflow the stack of code that walks it. */
export const MAX_JSON_DEPTH = 64;

/** Where text stops being JSON. Line and column are 1-based. */
export interface JsonFault {
  line: number;
  column: number;
  message: string;
}

/** Codes of parser errors within a string. */
const STRING_CODES: readonly string[] = [
  'UnexpectedEndOfString',
  'InvalidUnicode',
  'InvalidEscapeCharacter',
  'InvalidCharacter',
];
const UNCLOSED_CODES: readonly string[] = ['CloseBraceExpected', 'CloseBracketExpected'];

/** Ends the walk through a text at its first fault. */
class FirstFault extends Error {
  readonly fault: JsonFault;

  constructor(message: string, line: number, column: number) {
    super(message);
    this.fault = { line: line + 1, column: column + 1, message };
  }
}

/**
 * Finds the first place where `text` is not JSON, or is nested deeper than {@link MAX_JSON_DEPTH};
 * null if every place is valid. Only for text that JSON.parse refused: its own messages often name
 * no place, and repeat parts of the text.
 */
export function findJsonFault(text: string): JsonFault | null {
  const open: ('{' | '[')[] = [];
  let expectation = 'a value';
  let wantedInside = expectation;
  const afterComma = () => {
    expectation = open.at(-1) === '{' ? 'a name in double quotes' : 'a value';
  };
  const afterValue = () => {
    expectation = open.length === 0 ? 'the end' : '"," or the closing bracket';
  };
  const begin = (bracket: '{' | '[', line: number, column: number) => {
    // The parser calls itself for each level, so it must not be led deeper.
    if (open.length === MAX_JSON_DEPTH)
      throw new FirstFault(`more than ${MAX_JSON_DEPTH} brackets are open`, line, column);
    open.push(bracket);
    afterComma();
  };
  const end = () => {
    // The parser reports a missing bracket only after the end of what it would have closed.
    wantedInside = expectation;
    open.pop();
    afterValue();
  };
  try {
    visit(
      text,
      {
        onObjectBegin: (_offset, _length, line, column) => begin('{', line, column),
        onArrayBegin: (_offset, _length, line, column) => begin('[', line, column),
        onObjectEnd: end,
        onArrayEnd: end,
        onLiteralValue: afterValue,
        onObjectProperty() {
          expectation = '":"';
        },
        onSeparator(character) {
          if (character === ',') afterComma();
          else expectation = 'a value';
        },
        onError(code, offset, _length, line, column) {
          const place = UNCLOSED_CODES.includes(printParseErrorCode(code))
            ? wantedInside
            : expectation;
          throw new FirstFault(describeJsonFault(code, place, offset >= text.length), line, column);
        },
      },
      { disallowComments: true, allowTrailingComma: false },
    );
    return null;
  } catch (error) {
    if (error instanceof FirstFault) return error.fault;
    throw error;
  }
}

function describeJsonFault(code: ParseErrorCode, expectation: string, isAtEnd: boolean): string {
  if (isAtEnd) return `the text ends where ${expectation} is expected`;
  if (STRING_CODES.includes(printParseErrorCode(code)) && /^a (?:value|name)/.test(expectation))
    return 'this string is not closed, or contains a raw control character or an invalid escape';
  return `${expectation} is expected here`;
}

export function isTooDeep(text: string): boolean {
  // Every level takes two brackets, and most bodies are shorter than that.
  if (text.length <= 2 * MAX_JSON_DEPTH) return false;
  let depth = 0;
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]/g)) {
    if (token === '{' || token === '[') depth += 1;
    else if (token === '}' || token === ']') depth -= 1;
    if (depth > MAX_JSON_DEPTH) return true;
  }
  return false;
}
