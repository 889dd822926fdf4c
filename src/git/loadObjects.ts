import { SvcError } from '../base/errors/errors.ts';
import type { GitRun, RunGitOptions } from './runGit.ts';

export type GitRunner = (args: readonly string[], options?: RunGitOptions) => Promise<GitRun>;

export const MAX_OBJECT_BYTES = 256 * 1024 * 1024;

const NEWLINE = 0x0a;

export interface GitObject {
  type: string;
  bytes: Buffer;
}

/**
 * Reads whole objects, with one git process for any number of them. Throws SvcError `not-found` for
 * an object that the repository lacks, `too-large` over {@link MAX_OBJECT_BYTES}.
 */
export async function loadObjects(
  run: GitRunner,
  oids: Iterable<string>,
): Promise<Map<string, GitObject>> {
  const wantedIds = [...new Set(oids)];
  const objects = new Map<string, GitObject>();
  if (wantedIds.length === 0) return objects;
  const pieces: Buffer[] = [];
  const { cut } = await run(['cat-file', '--batch', '--buffer'], {
    input: wantedIds.map((oid) => `${oid}\n`).join(''),
    maxBytes: MAX_OBJECT_BYTES,
    cutOutput: true,
    onOutput: (piece) => pieces.push(piece),
  });
  if (cut)
    throw new SvcError(
      'too-large',
      `Folders or files of more than ${MAX_OBJECT_BYTES} bytes would be read at once.`,
    );
  const output = Buffer.concat(pieces);
  let at = 0;
  for (const oid of wantedIds) {
    const end = output.indexOf(NEWLINE, at);
    const line = output.toString('latin1', at, end === -1 ? output.length : end);
    const [, type, size] = /^[0-9a-f]+ (\w+) (\d+)$/.exec(line) ?? [];
    if (type === undefined)
      throw new SvcError(
        'not-found',
        `The repository is missing the object ${oid}: check it with \`git fsck\`, and fetch what is missing.`,
      );
    const [from, to] = [end + 1, end + 1 + Number(size)];
    objects.set(oid, { type, bytes: output.subarray(from, to) });
    at = to + 1;
  }
  return objects;
}
