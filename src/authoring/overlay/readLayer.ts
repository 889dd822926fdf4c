import { lstat, readdir, realpath, stat } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import { messageOf, SvcError } from '../../lib/errors.ts';
import { type Layer, type LayerName, layerBudget, pathProblem } from './layer.ts';
import { readSize, readStart } from './layerFiles.ts';

/** Never part of a layer, at any depth: version control and installed packages. */
const SKIPPED = new Set(['.git', 'node_modules']);
/** Not part of a layer at its top: proposals are not live until they are applied. */
const SKIPPED_AT_TOP = new Set(['proposals']);

async function rootOf(name: LayerName, dir: string): Promise<string> {
  const hint =
    name === 'tenant'
      ? 'Create the folder or fix tenant.overlay.path in the configuration.'
      : 'Install svc again.';
  try {
    const root = await realpath(resolve(dir));
    if ((await stat(root)).isDirectory()) return root;
  } catch (error) {
    throw new SvcError(
      'config-invalid',
      `The folder of the ${name} layer, ${dir}, cannot be read. ${hint}`,
      { cause: error },
    );
  }
  throw new SvcError('config-invalid', `The ${name} layer, ${dir}, is not a folder. ${hint}`);
}

/**
 * The real file behind an entry. A link may only lead to a file inside the layer: the layer's text
 * goes to agents.
 */
async function realFile(root: string, full: string, path: string): Promise<string> {
  const entry = await lstat(full);
  if (entry.isFile()) return full;
  if (!entry.isSymbolicLink())
    throw new SvcError(
      'config-invalid',
      `${full} is neither a file nor a folder. Remove it from the layer.`,
    );
  let target: string;
  try {
    target = await realpath(full);
  } catch (error) {
    throw new SvcError('config-invalid', `The link ${full} is broken. Remove it or fix it.`, {
      cause: error,
    });
  }
  if (!target.startsWith(root + sep))
    throw new SvcError(
      'config-invalid',
      `The link ${path} points outside ${root}. Copy the file into the layer.`,
    );
  if (!(await stat(target)).isFile())
    throw new SvcError(
      'config-invalid',
      `The link ${full} does not point to a file. Links to folders are not followed: copy the folder.`,
    );
  return target;
}

/** What is read of a folder, and how. */
interface ReadOptions {
  /** Of its top just these folders; default: all. */
  only?: readonly string[];
  /** Receives a file that cannot be part of a layer, instead of an error. */
  skip?: (path: string, error: SvcError) => void;
}

/**
 * Reads a layer from a folder. Throws SvcError `config-invalid` where the folder is missing or a
 * link leads out of it, `invalid` where it is over the limits of a layer.
 */
export async function readLayer(
  name: LayerName,
  dir: string,
  { only, skip }: ReadOptions = {},
): Promise<Layer> {
  const root = await rootOf(name, dir);
  const budget = layerBudget(root);
  const files = new Map<string, Uint8Array>();
  const readEntry = async (path: string, isFolder: boolean): Promise<void> => {
    const problem = pathProblem(path);
    if (problem !== null)
      throw new SvcError(
        'config-invalid',
        `The path ${JSON.stringify(path)} in ${root} ${problem}. Rename it.`,
      );
    if (isFolder) return walk(path);
    const file = await realFile(root, join(root, path), path);
    const size = readSize(path, (await stat(file)).size);
    budget.take(path, size);
    files.set(path, await readStart(file, size));
  };
  const walk = async (prefix: string): Promise<void> => {
    const entries = await readdir(join(root, prefix), { withFileTypes: true });
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      if (SKIPPED.has(entry.name) || (prefix === '' && SKIPPED_AT_TOP.has(entry.name))) continue;
      if (prefix === '' && only !== undefined && !only.includes(entry.name)) continue;
      const path = prefix === '' ? entry.name : `${prefix}/${entry.name}`;
      try {
        await readEntry(path, entry.isDirectory());
      } catch (error) {
        if (skip === undefined || !(error instanceof SvcError)) throw error;
        skip(path, error);
      }
    }
  };
  try {
    await walk('');
  } catch (error) {
    if (error instanceof SvcError) throw error;
    throw new SvcError(
      'config-invalid',
      `The ${name} layer ${root} cannot be read: ${messageOf(error)}.`,
      { cause: error },
    );
  }
  return { name, origin: root, root, files };
}
