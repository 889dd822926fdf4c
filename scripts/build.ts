/**
 * npm run build [-- --no-ui] [-- --quiet]
 *
 * Builds dist/: the bundled runner, the command line, the demo and, unless --no-ui, the dashboard; and
 * the list of the packages in them (SBOM).
 */
import { dirname, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type Built, bundleAll } from './bundle.ts';
import { bundleDashboard } from './bundleDashboard.ts';
import { writeSbom } from './sbom.ts';

function commonFolder(files: readonly string[]): string {
  let folder = dirname(files[0] ?? '');
  while (!files.every((file) => file.startsWith(`${folder}/`))) folder = dirname(folder);
  return folder;
}

const { values } = parseArgs({
  options: { 'no-ui': { type: 'boolean' }, quiet: { type: 'boolean' } },
});
process.chdir(resolve(import.meta.dirname, '..'));

async function buildAll(): Promise<Built[]> {
  const built = await bundleAll();
  if (!values['no-ui']) built.push(await bundleDashboard('dist/ui'));
  writeSbom();
  return built;
}

const built = await buildAll().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error));
  process.exit(1);
});
if (!values.quiet) {
  for (const { name, files, bytes, ms } of built) {
    const output =
      files.length === 1 ? files[0] : `${files.length} files in ${commonFolder(files)}`;
    console.log(
      `${name.padEnd(15)} ${(bytes / 1024).toFixed(0).padStart(6)} KiB  ${(ms / 1000).toFixed(2)} s  ${output}`,
    );
  }
}
