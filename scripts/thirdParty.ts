import { join } from 'node:path';
import type { Plugin, Rolldown } from 'vite';
import { NOTICES, noticesText, packageFolder } from './notices.ts';

/** What a bundler adds of itself has an id without a file, `\0<package>/…`. */
const ADDED = /^\0(vite|rolldown)\//;

/** Folder of the package that a module belongs to; null for modules of ours. */
function findPackageFolder(id: string, root: string): string | null {
  const added = ADDED.exec(id)?.[1];
  return added === undefined ? packageFolder(id) : join(root, 'node_modules', added);
}

const listModuleIds = (bundle: Rolldown.OutputBundle): string[] =>
  Object.values(bundle).flatMap((part) => (part.type === 'chunk' ? part.moduleIds : []));

/**
 * Writes the licences of all packages that parts of came into the bundle beside it: `page` for the
 * bundle of the page, `worker` for those of its workers, which are bundled before. Fails for a
 * package without a licence text.
 */
export function thirdParty(root: string): { page: Plugin; worker: Plugin } {
  const inWorkers = new Set<string>();
  const worker: Plugin = {
    name: 'svc-third-party-worker',
    generateBundle(_options, bundle) {
      for (const id of listModuleIds(bundle)) inWorkers.add(id);
    },
  };
  const page: Plugin = {
    name: 'svc-third-party',
    generateBundle(_options, bundle) {
      const ids = [...listModuleIds(bundle), ...inWorkers];
      const folders = new Set(
        ids.flatMap((id) => findPackageFolder(id.split('?', 1)[0] ?? id, root) ?? []),
      );
      this.emitFile({
        type: 'asset',
        fileName: NOTICES,
        source: noticesText('The dashboard', folders),
      });
    },
  };
  return { page, worker };
}
