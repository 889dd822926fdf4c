/**
 * npm pack and npm publish run it before they pack: refuses files of another version, builds all of
 * dist/ and puts the README in place that the package's page shows. `postpack.ts` takes that back.
 */
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { bundleAll } from './bundle.ts';
import { bundleDashboard } from './bundleDashboard.ts';
import { MANIFEST_FILE } from './oclifManifest.ts';
import { releaseProblems, VERSIONED_FILES } from './package/releaseFiles.ts';
import { packedReadme, listSources } from './package/packedReadme.ts';
import { writePluginModule } from './package/pluginModule.ts';
import { restoreReadme, swapReadme } from './package/readmeSwap.ts';
import { writeSbom } from './sbom.ts';

const textIn = (file: string): string => (existsSync(file) ? readFileSync(file, 'utf8') : '');

process.chdir(resolve(import.meta.dirname, '..'));
restoreReadme();
const sources = listSources(JSON.parse(readFileSync('package.json', 'utf8')));
const manifest: { version?: string } = JSON.parse(textIn(MANIFEST_FILE) || '{}');
const problems = releaseProblems(
  sources.version,
  manifest.version ?? null,
  Object.fromEntries(VERSIONED_FILES.map((file) => [file, textIn(file)])),
);
if (problems.length > 0) {
  console.error(
    `Not packed: these files do not belong to version ${sources.version} of package.json.\n${problems.map((problem) => `  ${problem}\n`).join('')}npm version writes them. By hand: node --import tsx scripts/releaseVersion.ts, then commit them.`,
  );
  process.exit(1);
}
await Promise.all([bundleAll(), bundleDashboard('dist/ui'), writePluginModule('dist/plugin')]);
writeSbom();
// Last, so that a failure before leaves the README unchanged.
swapReadme((own) => packedReadme(own, sources));
