import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import {
  type BundleManifest,
  formatBundleManifest,
} from '../../../cli/local/run/bundle/manifest.ts';

export interface Forged {
  text: string | Buffer;
  mode?: number;
  link?: boolean;
}

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/**
 * Changes a bundle as someone who can write it: adds files and replaces others, null removes one, and
 * computes all hashes again.
 */
export function forgeBundle(
  dir: string,
  files: Readonly<Record<string, Forged | string | null>>,
): void {
  const { body }: { body: BundleManifest } = JSON.parse(
    readFileSync(join(dir, 'manifest.json'), 'utf8'),
  );
  const packed = gunzipSync(readFileSync(join(dir, 'files.gz')));
  let at = 0;
  const keptFiles = body.files.flatMap((entry) => {
    const bytes = packed.subarray(at, at + entry.size);
    at += entry.size;
    return entry.path in files ? [] : [{ entry, bytes }];
  });
  const added = Object.entries(files).flatMap(([path, file]) => {
    if (file === null) return [];
    const { text, mode = 0o700, link = false } = typeof file === 'string' ? { text: file } : file;
    const bytes = Buffer.from(text);
    return [{ entry: { path, mode, size: bytes.length, sha256: sha256(bytes), link }, bytes }];
  });
  const all = [...keptFiles, ...added];
  writeFileSync(join(dir, 'files.gz'), gzipSync(Buffer.concat(all.map(({ bytes }) => bytes))));
  writeFileSync(
    join(dir, 'manifest.json'),
    formatBundleManifest({ ...body, files: all.map(({ entry }) => entry) }),
  );
}
