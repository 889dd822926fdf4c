/**
 * npm run maps [-- <folder>]
 *
 * Packs the source maps of dist/, which the package leaves out, as
 * svc-runner-<version>-maps.tgz in the folder (default: the present one). Unpacked in the folder of
 * an installed package of the same version, NODE_OPTIONS=--enable-source-maps finds them.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const target = resolve(process.argv[2] ?? '.');
process.chdir(resolve(import.meta.dirname, '..'));
const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
const file = join(target, `svc-runner-${version}-maps.tgz`);
const maps = readdirSync('dist', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.map'))
  .map((name) => join('dist', name))
  .sort();
if (maps.length === 0) throw new Error('dist/ has no source maps. Run: npm run build');
const { status, error } = spawnSync('tar', ['-czf', file, ...maps], { stdio: 'inherit' });
if (error) throw error;
if (status === 0) console.log(`${file}: ${maps.length} source maps`);
process.exitCode = status ?? 1;
