export interface TextPart {
  text: string;
  /** Class names; empty = like the rest of the page. */
  look: string;
}

type Ink = 'muted' | 'bad' | 'good' | 'warn' | 'accent';

/** The eight colours: black, red, green, yellow, blue, magenta, cyan, white; null = as the text. */
const INKS: readonly (Ink | null)[] = [
  'muted',
  'bad',
  'good',
  'warn',
  'accent',
  'accent',
  'accent',
  null,
];

interface Style {
  ink: Ink | null;
  ground: Ink | null;
  bold: boolean;
  dim: boolean;
  italic: boolean;
  underline: boolean;
  strike: boolean;
  inverse: boolean;
}

const PLAIN: Style = {
  ink: null,
  ground: null,
  bold: false,
  dim: false,
  italic: false,
  underline: false,
  strike: false,
  inverse: false,
};

const ESCAPE = '\\u001B';
/** Sequences that set colours. */
const SGR = new RegExp(`${ESCAPE}\\[([0-9;:]*)m`, 'g');
/**
 * Every other sequence: moves of the cursor; titles and links, where they end; the beginning of any
 * other. What follows a sequence that does not end is text, and stays.
 */
const OTHERS = new RegExp(
  [
    `(?:${ESCAPE}\\[|\\u009B)[0-?]*[ -/]*[@-~]`,
    `(?:${ESCAPE}[\\]PX^_]|\\u009D)[^\\u0007${ESCAPE}\\u009C]*(?:\\u0007|${ESCAPE}\\\\|\\u009C)`,
    `${ESCAPE}[ -/]*[0-~]`,
  ].join('|'),
  'g',
);
/** Remaining characters that are invisible, end the line, or change the direction of the text. */
const HIDDEN = /(?!\t)[\p{Cc}\p{Bidi_Control}\u2028\u2029\u200B\u2060\uFEFF]/gu;

const HIDDEN_OR_ESCAPE = new RegExp(HIDDEN.source, 'u');

const nameHiddenCharacter = (char: string): string => {
  const code = char.codePointAt(0) ?? 0;
  return code < 0x20
    ? String.fromCodePoint(0x2400 + code)
    : `[U+${code.toString(16).toUpperCase().padStart(4, '0')}]`;
};

/** Text of others without sequences of terminals, with everything visible that is hidden in it. */
export const toVisibleLine = (text: string): string =>
  HIDDEN_OR_ESCAPE.test(text)
    ? text.replace(SGR, '').replace(OTHERS, '').replace(HIDDEN, nameHiddenCharacter)
    : text;

/** Colour of the cube of 6 × 6 × 6, or of 24 bits: by what it has most of. */
function pickInk(red: number, green: number, blue: number): Ink | null {
  const most = Math.max(red, green, blue);
  const least = Math.min(red, green, blue);
  if (most - least < most / 4) return most < 0.3 || most > 0.7 ? null : 'muted';
  if (red === most && green > blue && green > red * 0.6) return 'warn';
  if (red === most && blue < red * 0.8) return 'bad';
  if (green === most && blue < green * 0.9) return 'good';
  return 'accent';
}

function pickIndexedInk(index: number): Ink | null {
  if (index < 16) return INKS[index % 8] ?? null;
  if (index > 231) return index > 243 ? 'muted' : null;
  const cube = index - 16;
  return pickInk(Math.floor(cube / 36) / 5, (Math.floor(cube / 6) % 6) / 5, (cube % 6) / 5);
}

/** The colour behind 38 or 48, which takes its numbers from the list. */
function readLongInk(codes: number[]): Ink | null {
  const kind = codes.shift();
  if (kind === 5) return pickIndexedInk(codes.shift() ?? 0);
  if (kind !== 2) return null;
  const [red = 0, green = 0, blue = 0] = codes.splice(0, 3);
  return pickInk(red / 255, green / 255, blue / 255);
}

/** What a sequence makes of a style; text that a sequence would hide stays visible. */
function applySequence(before: Style, sequence: string): Style {
  const style = { ...before };
  const codes = (sequence === '' ? '0' : sequence).split(/[;:]/).map(Number);
  for (let code = codes.shift(); code !== undefined; code = codes.shift()) {
    if (code === 0) Object.assign(style, PLAIN);
    else if (code === 1) style.bold = true;
    else if (code === 2) style.dim = true;
    else if (code === 3) style.italic = true;
    else if (code === 4 || code === 21) style.underline = true;
    else if (code === 7) style.inverse = true;
    else if (code === 9) style.strike = true;
    else if (code === 22) {
      style.bold = false;
      style.dim = false;
    } else if (code === 23) style.italic = false;
    else if (code === 24) style.underline = false;
    else if (code === 27) style.inverse = false;
    else if (code === 29) style.strike = false;
    else if (code === 38) style.ink = readLongInk(codes);
    else if (code === 39) style.ink = null;
    else if (code === 48) style.ground = readLongInk(codes);
    else if (code === 49) style.ground = null;
    else if ((code >= 30 && code <= 37) || (code >= 90 && code <= 97))
      style.ink = INKS[code % 10] ?? null;
    else if ((code >= 40 && code <= 47) || (code >= 100 && code <= 107))
      style.ground = INKS[code % 10] ?? null;
  }
  return style;
}

/** A ground takes the text's own colour on it: two colours of a terminal may be too near. */
function toStyleClasses({
  ink,
  ground,
  bold,
  dim,
  italic,
  underline,
  strike,
  inverse,
}: Style): string {
  const under = inverse ? (ink ?? ground ?? 'muted') : ground;
  const names = [
    under ? `on-${under}` : ink && `ink-${ink}`,
    bold && 'bold',
    dim && under === null && ink === null && 'ink-muted',
    italic && 'italic',
    underline && 'underline',
    strike && 'strike',
  ];
  return names.filter(Boolean).join(' ');
}

/** A line in its colours. Only sequences that set colours count; all others are taken out. */
export function splitColouredParts(line: string): TextPart[] {
  if (!line.includes('\u001B')) return [{ text: toVisibleLine(line), look: '' }];
  const parts: TextPart[] = [];
  let style = PLAIN;
  let from = 0;
  const add = (until: number) => {
    const text = toVisibleLine(line.slice(from, until));
    if (text !== '') parts.push({ text, look: toStyleClasses(style) });
  };
  for (const match of line.matchAll(SGR)) {
    add(match.index);
    style = applySequence(style, match[1] ?? '');
    from = match.index + match[0].length;
  }
  add(line.length);
  return parts;
}

/** A part of a line, and whether it is what was searched for. */
export interface MarkedPart extends TextPart {
  hit: boolean;
}

/** The parts cut where the searched text is, without regard to case; across colours too. */
export function markSearchHits(parts: readonly TextPart[], search: string): MarkedPart[] {
  if (search === '') return parts.map((part) => ({ ...part, hit: false }));
  const text = parts
    .map((part) => part.text)
    .join('')
    .toLowerCase();
  const needle = search.toLowerCase();
  const hits: [from: number, to: number][] = [];
  for (let at = text.indexOf(needle); at !== -1; at = text.indexOf(needle, at + needle.length))
    hits.push([at, at + needle.length]);
  const markedParts: MarkedPart[] = [];
  let begin = 0;
  for (const part of parts) {
    const end = begin + part.text.length;
    let at = begin;
    const cut = (to: number, hit: boolean) => {
      const until = Math.min(to, end);
      if (until > at)
        markedParts.push({
          look: part.look,
          hit,
          text: part.text.slice(at - begin, until - begin),
        });
      at = Math.max(at, until);
    };
    for (const [from, to] of hits) {
      if (to <= begin || from >= end) continue;
      cut(from, false);
      cut(to, true);
    }
    cut(end, false);
    begin = end;
  }
  return markedParts;
}
