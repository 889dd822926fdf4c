import { runGit } from './runGit.ts';
import { parseRawPath, toRawPathBytes } from './rawPaths.ts';

export const MAX_BLOB_BYTES = 2 * 1024 * 1024;
const MAX_READ_BYTES = 64 * 1024 * 1024;

export interface Blob {
  /** Object id: equal texts have equal ids. */
  oid: string;
  /** Bytes. */
  size: number;
  /** null = it is not text, or longer than {@link MAX_BLOB_BYTES}. */
  text: string | null;
}

const NEWLINE = 0x0a;

/** What git prints for one batch, whole: its sizes count bytes, so it is not text yet. */
async function runBlobBatch(
  repoPath: string,
  mode: string,
  names: readonly string[],
): Promise<Buffer> {
  const pieces: Buffer[] = [];
  await runGit(['cat-file', mode, '-z'], {
    cwd: repoPath,
    input: toRawPathBytes(names.map((name) => `${name}\0`).join('')),
    maxBytes: MAX_READ_BYTES,
    onOutput: (piece) => pieces.push(piece),
  });
  return Buffer.concat(pieces);
}

function parseBlobHeader(line: string): { oid: string; size: number } | null {
  const [, oid, size] = /^([0-9a-f]+) blob (\d+)$/.exec(line) ?? [];
  return oid === undefined ? null : { oid, size: Number(size) };
}

/** `<commit>:<path>` as raw bytes; `name` holds the path as it is shown. */
function toRawObjectName(name: string): string {
  const colon = name.indexOf(':') + 1;
  return `${name.slice(0, colon)}${parseRawPath(name.slice(colon))}`;
}

async function readBlobTexts(
  repoPath: string,
  oids: readonly string[],
): Promise<ReadonlyMap<string, string | null>> {
  const texts = new Map<string, string | null>();
  if (oids.length === 0) return texts;
  const blobBatch = await runBlobBatch(repoPath, '--batch', oids);
  for (let from = 0; from < blobBatch.length; ) {
    const end = blobBatch.indexOf(NEWLINE, from);
    if (end < 0) break;
    const header = parseBlobHeader(blobBatch.subarray(from, end).toString());
    const bytes = blobBatch.subarray(end + 1, end + 1 + (header?.size ?? 0));
    if (header) texts.set(header.oid, bytes.includes(0) ? null : bytes.toString());
    from = end + 1 + (header ? header.size + 1 : 0);
  }
  return texts;
}

/**
 * Files of commits by `<commit>:<path>`, with two git processes for any number of them; null where
 * there is no file. Paths that are not plain text are quoted.
 */
export async function readBlobs(
  repoPath: string,
  names: readonly string[],
): Promise<ReadonlyMap<string, Blob | null>> {
  const wantedNames = [...new Set(names)];
  if (wantedNames.length === 0) return new Map();
  const raw = wantedNames.map(toRawObjectName);
  const checkOutput = (await runBlobBatch(repoPath, '--batch-check', raw)).toString('latin1');
  let at = 0;
  const headers = wantedNames.map((name, index) => {
    // Git repeats the missing name, including its line breaks.
    const missing = `${raw[index]} missing\n`;
    const isMissing = checkOutput.startsWith(missing, at);
    const end = isMissing ? at + missing.length - 1 : checkOutput.indexOf('\n', at);
    const header = isMissing || end === -1 ? null : parseBlobHeader(checkOutput.slice(at, end));
    at = end === -1 ? checkOutput.length : end + 1;
    return [name, header] as const;
  });
  const small = headers.flatMap(([, header]) =>
    header && header.size <= MAX_BLOB_BYTES ? [header.oid] : [],
  );
  const texts = await readBlobTexts(repoPath, [...new Set(small)]);
  return new Map(
    headers.map(([name, header]) => [
      name,
      header && { ...header, text: texts.get(header.oid) ?? null },
    ]),
  );
}
