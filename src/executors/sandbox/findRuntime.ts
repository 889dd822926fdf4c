import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

export const RUNTIME_PACKAGE = '@anthropic-ai/sandbox-runtime';
/** The version that svc is tested with; later ones need Node 22. */
export const RUNTIME_VERSION = '0.0.78';

/** Installs it beside a globally installed svc. */
export const INSTALL_RUNTIME = `npm install -g ${RUNTIME_PACKAGE}@${RUNTIME_VERSION}`;

export interface FoundRuntime {
  version: string;
  entry: string;
}

export function findRuntime(
  folders = createRequire(import.meta.url).resolve.paths(RUNTIME_PACKAGE) ?? [],
): FoundRuntime | null {
  for (const folder of folders) {
    const file = join(folder, ...RUNTIME_PACKAGE.split('/'), 'package.json');
    if (!existsSync(file)) continue;
    const manifest: { version?: unknown; main?: unknown } = Object(
      JSON.parse(readFileSync(file, 'utf8')),
    );
    const main = typeof manifest.main === 'string' ? manifest.main : 'dist/index.js';
    return { version: String(manifest.version), entry: join(file, '..', main) };
  }
  return null;
}
