import { readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { createServerSource } from '../../../src/workflows/toolServers/serverSource.ts';
import type { Settings } from '../../../src/contract/schema/runner/settings.ts';
import { findRepositoryRoot } from '../../render/workflow/locateInRepository.ts';

/** Files in which a repository declares servers; what is under .svc is meant for svc. */
const FILES = ['.mcp.json', '.svc/.mcp.json', '.svc/mcp.json'];

/**
 * Ids of the tool servers that a job could have: of the configuration, of the agent host where it
 * is inherited, and of the repository around `path`, trusted or not.
 */
export async function listDeclaredServers(
  settings: Settings['mcp'],
  path: string,
): Promise<string[]> {
  const near = path === '-' ? '.' : path;
  const roots = [findRepositoryRoot(near), resolve(near), dirname(resolve(near))];
  const repo: { path: string; text: string }[] = [];
  for (const root of new Set(roots.filter((one) => one !== null))) {
    for (const file of FILES) {
      const text = await readFile(join(root, file), 'utf8').catch(() => null);
      if (text !== null) repo.push({ path: file, text });
    }
  }
  // A server is declared whether its variables are set or not.
  const source = createServerSource({ settings, env: {}, onSecrets: () => {} });
  const { servers, unusable = [] } = await source.resolve(repo);
  return [...servers, ...unusable].map(({ id }) => id);
}
