import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';

/** What V8 has made of one file. */
export interface CompiledFile {
  /** Checksum of the text that it was made of: V8 itself compares no more than the length. */
  source: number;
  code: Buffer;
}

/** The first bytes; another form of the file gets another one. */
const MARK = Buffer.from('svc code 1\n');
/** After them: checksum of all that follows, and length of the index, 4 bytes each. */
const HEAD = MARK.length + 8;

type Index = [name: string, source: number, bytes: number][];

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
  let at = HEAD + bytes.readUInt32LE(MARK.length + 4);
  const index: Index = JSON.parse(bytes.toString('utf8', HEAD, at));
  for (const [name, source, length] of index) {
    found.set(name, { source, code: bytes.subarray(at, at + length) });
    at += length;
  }
  return found;
}

/** Writes it whole or not at all; throws where that is not possible. */
export function writeCodeCache(file: string, compiled: ReadonlyMap<string, CompiledFile>): void {
  const entries = [...compiled];
  const index: Index = entries.map(([name, { source, code }]) => [name, source, code.length]);
  const list = Buffer.from(JSON.stringify(index));
  const size = Buffer.alloc(4);
  size.writeUInt32LE(list.length);
  const rest = Buffer.concat([size, list, ...entries.map(([, { code }]) => code)]);
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
