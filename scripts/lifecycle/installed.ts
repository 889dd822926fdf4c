import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SBOM } from '../sbom.ts';
import type { Machine } from './machine.ts';
import type { Tarball } from './tarball.ts';
import { readTree } from './tree.ts';

const PACKAGES = 5;
/** Most bytes that it may take beside SQLite. */
const BYTES = 27_000_000;
/** Fewest packages that its SBOM names: program and dashboard together bundle more. */
const BUNDLED = 200;
const SQLITE = /^node_modules\/(?:@photostructure\/sqlite|node-addon-api|node-gyp-build)\//;

/** What npm may say: that the install script of SQLite, and of nothing else, was not run. */
const SCRIPT_WARNING = /^npm warn (?:install-scripts|allow-scripts)\b/;

const inMB = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

export function otherWarnings(printed: string): string[] {
  const lines = printed.split('\n').filter((line) => /^npm (?:warn|error|WARN|ERR!)/.test(line));
  const aboutScripts = lines.filter((line) => SCRIPT_WARNING.test(line));
  const others = aboutScripts.filter(
    (line) => /\s@?[\w./-]+@\d/.test(line) && !line.includes('@photostructure/sqlite@'),
  );
  return [...lines.filter((line) => !SCRIPT_WARNING.test(line)), ...others];
}

/** Installs the package as a person does, and throws where it is more than was promised. */
export async function install(machine: Machine, { file }: Tarball): Promise<string> {
  const args = ['install', '-g', '--prefix', machine.prefix, '--prefer-offline'];
  const began = performance.now();
  const { code, err } = await machine.run('npm', [...args, file]);
  if (code !== 0) throw new Error(`npm install ended with ${code}:\n${err}`);
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  const warnings = otherWarnings(err);
  if (warnings.length > 0) throw new Error(`npm warned:\n${warnings.join('\n')}`);
  const files = readTree(machine.program);
  const packages = [...files.keys()].filter((path) =>
    /^(?:.*node_modules\/(?:@[^/]+\/)?[^/]+\/)?package\.json$/.test(path),
  ).length;
  if (packages > PACKAGES) throw new Error(`${packages} packages; at most ${PACKAGES} are allowed`);
  let [own, sqlite] = [0, 0];
  for (const [path, bytes] of files)
    if (SQLITE.test(path)) sqlite += bytes;
    else own += bytes;
  if (own > BYTES)
    throw new Error(`${inMB(own)} beside SQLite; at most ${inMB(BYTES)} are allowed`);
  const { metadata, components } = JSON.parse(readFileSync(join(machine.program, SBOM), 'utf8'));
  if (components.length < BUNDLED)
    throw new Error(`${SBOM} of ${metadata.component.version} names ${components.length} packages`);
  return `${packages} packages (${components.length} more are bundled), ${files.size} files, ${inMB(own)} beside SQLite (${inMB(sqlite)}), in ${seconds} s`;
}

/** What is in the package, without installing it. */
export function checkFiles({ files, version }: Tarball): string {
  const wrong = files.filter((path) =>
    /\.map$|^(?:src|test|scripts|bench|machines|ui)\//.test(path),
  );
  if (wrong.length > 0) throw new Error(`the package contains ${wrong.slice(0, 5).join(', ')}`);
  const needed = ['dist/runner/main.js', 'dist/ui/index.html', 'dist/plugin/index.d.ts', SBOM];
  const missing = needed.filter((path) => !files.includes(path));
  if (missing.length > 0) throw new Error(`the package lacks ${missing.join(', ')}`);
  return `version ${version}, ${files.length} files`;
}
