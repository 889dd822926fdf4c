import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Layer, LayerName } from '../../src/workflows/overlay/layer.ts';

const folders: string[] = [];
process.once('exit', () => {
  for (const dir of folders) rmSync(dir, { recursive: true, force: true });
});

export function folderWith(files: Record<string, string>): string {
  const dir = mkdtempSync(join(tmpdir(), 'svc-intelligence-'));
  folders.push(dir);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), text);
  }
  return dir;
}

export const encodeFiles = (files: Record<string, string>): Map<string, Uint8Array> =>
  new Map(Object.entries(files).map(([path, text]) => [path, new TextEncoder().encode(text)]));

export const decodeText = (bytes: Uint8Array | undefined): string | undefined =>
  bytes && new TextDecoder().decode(bytes);

/** A layer that was never on disk. */
export const layerWith = (
  name: LayerName,
  files: Record<string, string>,
  root: string | null = null,
): Layer => ({
  name,
  origin: `/${name}`,
  root,
  files: encodeFiles(files),
});
