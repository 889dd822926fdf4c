import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Plugin } from '@oclif/core';
import { bundleCommands } from './bundle.ts';

export const MANIFEST_FILE = 'oclif.manifest.json';

/** Below node_modules, so that the commands find their packages. */
const WORKSHOP = 'node_modules/.cache/svc/manifest';

/**
 * The manifest of the commands as they are in the sources, as text. They are built aside: neither a stale dist/ nor the
 * lack of one changes the answer.
 */
export async function manifestText(): Promise<{ text: string; commands: number }> {
  rmSync(WORKSHOP, { recursive: true, force: true });
  mkdirSync(WORKSHOP, { recursive: true });
  try {
    writeFileSync(`${WORKSHOP}/package.json`, readFileSync('package.json'));
    await bundleCommands(WORKSHOP);
    const plugin = new Plugin({
      root: resolve(WORKSHOP),
      type: 'core',
      ignoreManifest: true,
      errorOnManifestCreate: true,
      respectNoCacheDefault: true,
    });
    await plugin.load();
    const { manifest } = plugin;
    return { text: `${JSON.stringify(manifest, null, 2)}\n`, commands: Object.keys(manifest.commands).length };
  } finally {
    rmSync(WORKSHOP, { recursive: true, force: true });
  }
}
