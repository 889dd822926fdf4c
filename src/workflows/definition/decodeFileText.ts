import { isUtf8 } from '../../base/text/decodeUtf8OrNull.ts';
import { describeCodePoint } from '../../base/text/codePoints.ts';
import { MAX_PARSED_BYTES, MAX_PARSED_SIZE } from '../../base/limits/inputLimits.ts';
import type { Findings, Place } from './findings.ts';

const START: Place = { line: 1, column: 1 };
const LINE_FEED = 10;

/**
 * Share of zero bytes from which a text counts as UTF-16: in Latin text every second one is zero.
 */
const UTF16_ZEROS = 0.2;
/** Bytes at the beginning that are counted. */
const SAMPLE_BYTES = 512;

const AS_UTF8 =
  'Save it as UTF-8: most editors have "Save with encoding"; a shell has iconv -t UTF-8.';

/** UTF-16 and UTF-32 begin with a mark, or are recognised by their zeros. */
function detectWideEncoding(bytes: Uint8Array): string | null {
  const [first, second, third, fourth] = bytes;
  if (first === 0xff && second === 0xfe) return third === 0 && fourth === 0 ? 'UTF-32' : 'UTF-16';
  if (first === 0xfe && second === 0xff) return 'UTF-16';
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  const zeros = sample.filter((byte) => byte === 0).length;
  return sample.length > 1 && zeros > sample.length * UTF16_ZEROS ? 'UTF-16' : null;
}

function reportInvalidByte(bytes: Uint8Array, findings: Findings): void {
  let from = 0;
  for (let line = 1; from <= bytes.length; line++) {
    const end = bytes.indexOf(LINE_FEED, from);
    const part = bytes.subarray(from, end === -1 ? bytes.length : end);
    from = end === -1 ? bytes.length + 1 : end + 1;
    if (isUtf8(part)) continue;
    const before = new TextDecoder().decode(part).split('\uFFFD', 1)[0] ?? '';
    const byte = part[Buffer.byteLength(before)] ?? 0;
    const shownByte = `0x${byte.toString(16).toUpperCase().padStart(2, '0')}`;
    const inLatin1 = byte >= 0xa0 ? `; in Latin-1 it is "${String.fromCharCode(byte)}"` : '';
    findings.error(
      'not-utf8',
      { line, column: before.length + 1 },
      `The file is not UTF-8: the byte ${shownByte} is not valid${inLatin1}.`,
      AS_UTF8,
    );
    return;
  }
}

/** Control characters except tab and line ends; programs would get them with the text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F]/;

function reportControlCharacters(text: string, findings: Findings): void {
  for (const [index, line] of text.split('\n').entries()) {
    const match = CONTROL.exec(line);
    if (!match) continue;
    const report = match[0] === '\0' ? findings.error : findings.addWarning;
    report(
      'control-character',
      { line: index + 1, column: match.index + 1 },
      `The text contains ${describeCodePoint(match[0])}.`,
      'Remove it.',
    );
    return;
  }
}

/**
 * A file's text without byte order mark. null = it must not be parsed, and the findings say why.
 */
export function decodeFileText(source: string | Uint8Array, findings: Findings): string | null {
  const bytes = typeof source === 'string' ? Buffer.byteLength(source) : source.length;
  if (bytes > MAX_PARSED_BYTES) {
    findings.error(
      'file-too-large',
      START,
      `The file has more than ${MAX_PARSED_SIZE} (${MAX_PARSED_BYTES} bytes).`,
      'Move reference text into files of memory/.',
    );
    return null;
  }
  if (typeof source !== 'string') {
    const wide = detectWideEncoding(source);
    if (wide !== null)
      findings.error('not-utf8', START, `The file is ${wide}, not UTF-8.`, AS_UTF8);
    else if (!isUtf8(source)) reportInvalidByte(source, findings);
    if (findings.hasErrors()) return null;
  }
  const text = typeof source === 'string' ? source : new TextDecoder().decode(source);
  reportControlCharacters(text, findings);
  if (findings.hasErrors()) return null;
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}
