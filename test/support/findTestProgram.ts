import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { packagesOutside } from '../../scripts/bundleTests.ts';
import { repairPackages } from '../../scripts/repairPackages.ts';

const ROOT = join(import.meta.dirname, '../..');
/** Where packages are found from. */
const FOLDER = join(ROOT, 'node_modules/.cache/svc/test-programs');

async function buildProgram(source: string): Promise<string> {
  mkdirSync(FOLDER, { recursive: true });
  const outfile = join(FOLDER, `${source.replaceAll(/\W/g, '-')}-${process.pid}.mjs`);
  await build({
    absWorkingDir: ROOT,
    entryPoints: [source],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    plugins: [packagesOutside, repairPackages],
    logLevel: 'error',
  });
  process.once('exit', () => rmSync(outfile, { force: true }));
  return outfile;
}

const built = new Map<string, Promise<string>>();

/**
 * A program of the sources in one file, since what a test starts often has to start soon. Its packages are repaired as
 * those of svc are. `source` is relative to the project.
 */
export function findTestProgram(source: string): Promise<string> {
  const known = built.get(source) ?? buildProgram(source);
  built.set(source, known);
  return known;
}
