/**
 * npm version runs it once package.json has the new version: writes what holds the version, and adds
 * it to the commit that npm makes. Run it by hand after changing the version by hand.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { MANIFEST_FILE, manifestText } from './oclifManifest.ts';
import { VERSIONED_FILES, withVersion } from './package/releaseFiles.ts';

process.chdir(resolve(import.meta.dirname, '..'));
const { version }: { version: string } = JSON.parse(readFileSync('package.json', 'utf8'));
writeFileSync(MANIFEST_FILE, (await manifestText()).text);
for (const file of VERSIONED_FILES)
  writeFileSync(file, withVersion(readFileSync(file, 'utf8'), version));
// Outside of a repository npm makes no commit either.
spawnSync('git', ['add', '--', MANIFEST_FILE, ...VERSIONED_FILES], { stdio: 'ignore' });
console.log(`${[MANIFEST_FILE, ...VERSIONED_FILES].join(', ')}: ${version}`);
