import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { Layer } from '../../workflows/overlay/layer.ts';
import type { RepoLayer } from '../../workflows/overlay/buildRepoLayer.ts';
import { sha256 } from '../../base/system/ids/ids.ts';
import type { LayerSources } from './jobOverlays.ts';

/** Archives kept per job: that of its last visit, and one whose visit a crash interrupted. */
const MOST_KEPT = 2;
/** Largest archive that is read, bytes of its text: three layers at their limits, as base64. */
const MAX_TEXT_BYTES = 512 * 1024 * 1024;
/** Format of an archive; other formats are not read. */
const FORM = 1;

function encodeLayerValue(_key: string, value: unknown): unknown {
  if (value instanceof Map) return { $map: [...value] };
  if (value instanceof Uint8Array) return { $bytes: Buffer.from(value).toString('base64') };
  return value;
}

/** A buffer's own `toJSON` would be called first. */
const copyFileBytes = (files: ReadonlyMap<string, Uint8Array>): Map<string, Uint8Array> =>
  new Map([...files].map(([path, bytes]) => [path, new Uint8Array(bytes)]));

const copyBareLayer = (layer: Layer): Layer => ({ ...layer, files: copyFileBytes(layer.files) });

const copyBareRepoLayer = (repoLayer: RepoLayer): RepoLayer => ({
  ...repoLayer,
  layer: copyBareLayer(repoLayer.layer),
  wanted: repoLayer.wanted.map((one) => ({ ...one, bytes: new Uint8Array(one.bytes) })),
});

function decodeLayerValue(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if ('$map' in value && Array.isArray(value.$map)) return new Map(value.$map);
  if ('$bytes' in value && typeof value.$bytes === 'string')
    return new Uint8Array(Buffer.from(value.$bytes, 'base64'));
  return value;
}

const toText = ({ base, tenant, remote, repo }: LayerSources): string =>
  JSON.stringify(
    {
      form: FORM,
      base: copyBareLayer(base),
      tenant: tenant && copyBareLayer(tenant),
      remote: remote && { ...remote, layer: copyBareLayer(remote.layer) },
      repo: repo && { ...repo, read: copyBareRepoLayer(repo.read) },
    },
    encodeLayerValue,
  );

/**
 * Stores the layers of a job in a folder that its agents can write to, so a reader has to name the
 * hash. Returns that hash. May be repeated.
 */
export async function keepLayers(dir: string, sources: LayerSources): Promise<string> {
  const text = toText(sources);
  const hash = sha256(text);
  const file = join(dir, `${hash}.json.gz`);
  await mkdir(dir, { recursive: true, mode: 0o700 });
  if (await stat(file).catch(() => null)) return hash;
  await writeFile(`${file}.part`, gzipSync(text), { mode: 0o600 });
  await rename(`${file}.part`, file);
  const others = await Promise.all(
    (await readdir(dir)).map(async (name) => {
      const path = join(dir, name);
      return { path, at: (await stat(path).catch(() => null))?.mtimeMs ?? 0 };
    }),
  );
  for (const { path } of others.sort((a, b) => b.at - a.at).slice(MOST_KEPT))
    await rm(path, { force: true });
  return hash;
}

/** The layers stored under this hash; null = none, or they have been changed since. */
export async function readKeptLayers(dir: string, hash: string): Promise<LayerSources | null> {
  if (!/^[0-9a-f]{64}$/.test(hash)) return null;
  try {
    const archive = await readFile(join(dir, `${hash}.json.gz`));
    const text = gunzipSync(archive, { maxOutputLength: MAX_TEXT_BYTES }).toString('utf8');
    // Agents can write here, so only the content with the recorded hash counts.
    if (sha256(text) !== hash) return null;
    const { form, ...sources } = JSON.parse(text, decodeLayerValue) as LayerSources & {
      form: number;
    };
    return form === FORM ? sources : null;
  } catch {
    return null;
  }
}
