import { readFile, rm } from 'node:fs/promises';
import { isAbsolute, join, normalize, sep } from 'node:path';
import { SvcError } from '../base/errors/errors.ts';

const LISTS = ['dependencies', 'optionalDependencies', 'peerDependencies'];
/** A version range, a tag, or another registry name with one; no URL and no path. */
const OF_REGISTRY = /^(?:npm:(?:@[\w.-]+\/)?[\w.-]+(?:@|$))?[\w\s.^~<>=|*+-]*$/;
/**
 * Files in which a package says where its dependencies come from. npm reads them whatever
 * package.json says.
 */
const LOCK_FILES = [
  'npm-shrinkwrap.json',
  'package-lock.json',
  join('node_modules', '.package-lock.json'),
];

const staysInPackage = (place: string): boolean =>
  !isAbsolute(place) && !/^[~\\]/.test(place) && normalize(place).split(sep)[0] !== '..';

function isAllowedDependency(wanted: unknown, isFolder: boolean): boolean {
  if (typeof wanted !== 'string') return false;
  return wanted.startsWith('file:')
    ? isFolder || staysInPackage(wanted.slice('file:'.length))
    : OF_REGISTRY.test(wanted);
}

/**
 * Makes sure that npm gets the dependencies only from the user's registry or from the package
 * itself. Removes lock files of the package. `isFolder`: the package comes from the user's own
 * folder, which may name other folders. Throws SvcError `invalid` for dependencies from git, the
 * web or an outside folder.
 */
export async function checkPackageDependencies(dir: string, isFolder: boolean): Promise<void> {
  await Promise.all(LOCK_FILES.map((name) => rm(join(dir, name), { force: true })));
  const json: Record<string, unknown> = Object(
    JSON.parse(await readFile(join(dir, 'package.json'), 'utf8')),
  );
  const found = LISTS.flatMap((list) => Object.entries(Object(json[list]))).find(
    ([, wanted]) => !isAllowedDependency(wanted, isFolder),
  );
  if (found === undefined) return;
  const [name, wanted] = found;
  throw new SvcError(
    'invalid',
    `The package depends on ${JSON.stringify(name)} from ${JSON.stringify(String(wanted).slice(0, 200))}, which is not the npm registry. npm would run git or its programs. Install it with --allow-scripts if you trust it.`,
  );
}
