/**
 * npm pack and npm publish run it before they pack: builds all of dist/ and puts the README in place
 * that the package's page shows. `postpack.ts` takes that back.
 */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { bundleAll } from './bundle.ts';
import { bundleDashboard } from './bundleDashboard.ts';
import { packedReadme, sourcesOf } from './package/packedReadme.ts';
import { writePluginModule } from './package/pluginModule.ts';
import { restoreReadme, swapReadme } from './package/readmeSwap.ts';

process.chdir(resolve(import.meta.dirname, '..'));
restoreReadme();
const sources = sourcesOf(JSON.parse(readFileSync('package.json', 'utf8')));
await Promise.all([bundleAll(), bundleDashboard('dist/ui'), writePluginModule('dist/plugin')]);
// Last, so that nothing that fails leaves it behind.
swapReadme((own) => packedReadme(own, sources));
