/** Deepest nesting of a body; deeper ones would overflow the stack of whoever walks them. */
export const MAX_JSON_DEPTH = 64;

const SPACE = /[\x20\t\n\r]*/y;
const STRING = /"[^"\\\p{Cc}]*(?:(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})|[\x80-\x9f])[^"\\\p{Cc}]*)*"/uy;
const SCALAR = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.])/y;

/** Where text stops being JSON. Line and column are 1-based. */
export interface JsonFault {
  line: number;
  column: number;
  message: string;
}

type Wanted = 'a value' | 'a name in double quotes' | '":"' | '"," or the closing bracket' | 'the end';

/**
 * Finds the first place where `text` is not JSON; null when it is. Only for text that JSON.parse refused: its own
 * messages often name no place, and repeat parts of the text.
 */
export function jsonFault(text: string): JsonFault | null {
  const open: string[] = [];
  let at = 0;
  let wanted = 'a value' as Wanted;
  let mayClose = false;
  const take = (pattern: RegExp): boolean => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found) at += found[0].length;
    return found !== null;
  };
  const afterValue = () => {
    wanted = open.length === 0 ? 'the end' : '"," or the closing bracket';
    mayClose = open.length > 0;
  };
  for (;;) {
    take(SPACE);
    const char = text[at];
    if (char === undefined) return wanted === 'the end' ? null : fault(text, at, `the text ends where ${wanted} should be`);
    const inObject = open.at(-1) === '{';
    if (mayClose && char === (inObject ? '}' : ']')) {
      at += 1;
      open.pop();
      afterValue();
    } else if (wanted === 'a value' && (char === '{' || char === '[')) {
      at += 1;
      open.push(char);
      wanted = char === '{' ? 'a name in double quotes' : 'a value';
      mayClose = true;
    } else if (wanted === 'a value' && take(char === '"' ? STRING : SCALAR)) {
      afterValue();
    } else if (wanted === 'a name in double quotes' && take(STRING)) {
      wanted = '":"';
      mayClose = false;
    } else if (wanted === '":"' && char === ':') {
      at += 1;
      wanted = 'a value';
    } else if (wanted === '"," or the closing bracket' && char === ',') {
      at += 1;
      wanted = inObject ? 'a name in double quotes' : 'a value';
      mayClose = false;
    } else if (char === '"' && (wanted === 'a value' || wanted === 'a name in double quotes')) {
      return fault(text, at, 'this string does not end, or holds a raw control character or a wrong escape');
    } else {
      return fault(text, at, `${wanted} should be here`);
    }
  }
}

function fault(text: string, at: number, message: string): JsonFault {
  const before = text.slice(0, at).split('\n');
  return { line: before.length, column: (before.at(-1) ?? '').length + 1, message };
}

/** Whether brackets are nested deeper than allowed, in text that is JSON. */
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
