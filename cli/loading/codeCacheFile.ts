import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';

/** What V8 was given of one file, and what it has made of it. */
export interface CompiledFile {
  /** Checksum of the file that it was made of: V8 itself compares no more than the length. */
  source: number;
  /** Which state of which file on the disk that was; null = not known well enough to rely on. */
  version: string | null;
  text: string;
  code: Buffer;
}

/** The first bytes; another form of the file gets another one. */
const MARK = Buffer.from('svc code 2\n');
/** After them: checksum of all that follows, and length of the index, 4 bytes each. */
const HEAD = MARK.length + 8;

interface Entry {
  name: string;
  source: number;
  version: string | null;
  /** Bytes of its text, and whether each is a character. */
  text: number;
  ascii: boolean;
  /** Bytes of its code. */
  code: number;
}

/**
 * Reads a file of {@link writeCodeCache}: name → what V8 has made of it. Empty where it is missing
 * or damaged; V8 does not notice damage, and would run it.
 */
export function readCodeCache(file: string): Map<string, CompiledFile> {
  const found = new Map<string, CompiledFile>();
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch {
    return found;
  }
  const isWhole =
    bytes.length > HEAD &&
    bytes.subarray(0, MARK.length).equals(MARK) &&
    bytes.readUInt32LE(MARK.length) === crc32(bytes.subarray(MARK.length + 4));
  if (!isWhole) return found;
  const begin = HEAD + bytes.readUInt32LE(MARK.length + 4);
  const index: Entry[] = JSON.parse(bytes.toString('utf8', HEAD, begin));
  const textBytes = index.reduce((sum, { text }) => sum + text, 0);
  // One string outside of V8's heap, of which each text is a part: nothing is copied or collected.
  const texts = bytes.toString('latin1', begin, begin + textBytes);
  let at = 0;
  let codeAt = begin + textBytes;
  for (const { name, source, version, text, ascii, code } of index) {
    found.set(name, {
      source,
      version,
      text: ascii
        ? texts.slice(at, at + text)
        : bytes.toString('utf8', begin + at, begin + at + text),
      code: bytes.subarray(codeAt, codeAt + code),
    });
    at += text;
    codeAt += code;
  }
  return found;
}

/** Writes it whole or not at all; throws where that is not possible. */
export function writeCodeCache(file: string, compiled: ReadonlyMap<string, CompiledFile>): void {
  const entries = [...compiled].map(([name, { text, ...rest }]) => ({
    ...rest,
    name,
    bytes: Buffer.from(text),
    ascii: Buffer.byteLength(text) === text.length,
  }));
  const index = entries.map(
    ({ name, source, version, bytes, ascii, code }): Entry => ({
      name,
      source,
      version,
      text: bytes.length,
      ascii,
      code: code.length,
    }),
  );
  const list = Buffer.from(JSON.stringify(index));
  const size = Buffer.alloc(4);
  size.writeUInt32LE(list.length);
  const texts = entries.map(({ bytes }) => bytes);
  const rest = Buffer.concat([size, list, ...texts, ...entries.map(({ code }) => code)]);
  const sum = Buffer.alloc(4);
  sum.writeUInt32LE(crc32(rest));
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${process.pid}`;
  try {
    writeFileSync(draft, Buffer.concat([MARK, sum, rest]), { mode: 0o600 });
    renameSync(draft, file);
  } finally {
    rmSync(draft, { force: true });
  }
}
