import type { Dirent } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { findErrorCode } from '../../base/errors/findErrorCode.ts';
import { toErrorMessage, SvcError } from '../../base/errors/errors.ts';
import { isPassingFault } from '../../base/errors/isPassingFault.ts';
import { type Layer, type LayerName, MAX_LAYER_ENTRIES } from './layer.ts';
import { compareByUse, isSkippedPath, LayerCollector } from './layerCollector.ts';
import { isAgentPath, isWorkflowPath, limitReadSize, readLayerFileStart } from './layerFiles.ts';

/** Most reads of a layer that is being replaced, and the time between them, ms. */
const ATTEMPTS = 3;
const REPLACING_MS = 100;
/** Not in a layer: proposals are not live until they are applied. */
const SKIPPED_AT_TOP = new Set(['proposals']);

async function findRoot(name: LayerName, dir: string): Promise<string> {
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
      `The folder of the ${name} layer, ${dir}, cannot be read: ${findErrorCode(error) ?? toErrorMessage(error)}. ${hint}`,
      { cause: error },
    );
  }
  throw new SvcError('config-invalid', `The ${name} layer, ${dir}, is not a folder. ${hint}`);
}

/** What is read of a folder. */
interface ReadOptions {
  /** Only these names at its top; default: all. */
  only?: readonly string[];
}

/** A folder that is being read: its path in the layer, and the real folders above it. */
interface Place {
  path: string;
  real: string;
  above: readonly string[];
}

class FolderReader {
  readonly collector = new LayerCollector();
  readonly #root: string;
  readonly #only: readonly string[] | undefined;
  #entries = 0;

  constructor(root: string, { only }: ReadOptions) {
    this.#root = root;
    this.#only = only;
  }

  async read(): Promise<void> {
    await this.#readEntries(
      { path: '', real: this.#root, above: [] },
      await listLayerFolder(this.#root),
    );
  }

  async #readFolder(place: Place): Promise<void> {
    const { path } = place;
    if (!this.collector.admitsPath(path)) return;
    if (isWorkflowPath(path) || isAgentPath(path)) {
      const kind = isWorkflowPath(path) ? 'a workflow' : 'an agent';
      this.#leaveOut(path, `it is a folder, and ${kind} is a file`, 'Rename it or remove it.');
      return;
    }
    if (place.above.includes(place.real)) {
      this.#leaveOut(place.path, 'the link leads in a loop', 'Remove it or fix it.');
      return;
    }
    let entries: Dirent[];
    try {
      entries = await listLayerFolder(place.real);
    } catch (error) {
      this.#leaveOutUnread(place.path, error);
      return;
    }
    await this.#readEntries(place, entries);
  }

  async #readEntries({ path: folder, real, above }: Place, entries: Dirent[]): Promise<void> {
    for (const entry of entries.sort((a, b) => compareByUse(a.name, b.name))) {
      const { name } = entry;
      if (isSkippedPath(name)) continue;
      if (folder === '' && SKIPPED_AT_TOP.has(name)) continue;
      if (folder === '' && this.#only !== undefined && !this.#only.includes(name)) continue;
      const path = folder === '' ? name : `${folder}/${name}`;
      if (++this.#entries > MAX_LAYER_ENTRIES) {
        if (this.#entries === MAX_LAYER_ENTRIES + 1)
          this.#leaveOut(
            path,
            `the folder has more than ${MAX_LAYER_ENTRIES} entries, and what comes after it is not read`,
            'Check that it is the right folder, and keep only intelligence files in it.',
          );
        return;
      }
      await this.#readEntry({ path, real: join(real, name), above: [...above, real] }, entry);
    }
  }

  async #readEntry(place: Place, entry: Dirent): Promise<void> {
    if (entry.isDirectory()) return this.#readFolder(place);
    if (entry.isFile()) return this.#readFile(place);
    if (entry.isSymbolicLink()) return this.#follow(place);
    this.#leaveOut(place.path, 'it is neither a file nor a folder', 'Remove it from the layer.');
  }

  /** A link may only lead inside the layer: the layer's text goes to agents. */
  async #follow({ path, real, above }: Place): Promise<void> {
    if (!this.collector.admitsPath(path)) return;
    let target: string;
    try {
      target = await realpath(real);
    } catch (error) {
      if (isPassingFault(error)) throw error;
      const isLoop = findErrorCode(error) === 'ELOOP';
      const reason = isLoop ? 'the link leads in a loop' : 'the link is broken';
      this.#leaveOut(path, reason, 'Remove it or fix it.');
      return;
    }
    const isInside = target === this.#root || target.startsWith(this.#root + sep);
    if (!isInside || isSkippedPath(target.slice(this.#root.length + 1))) {
      this.#leaveOut(
        path,
        'the link leads out of the layer',
        'Copy what it leads to into the layer.',
      );
      return;
    }
    const place = { path, real: target, above };
    const stats = await stat(target).catch((error: unknown) => {
      if (isPassingFault(error)) throw error;
      return null;
    });
    if (stats?.isDirectory()) return this.#readFolder(place);
    if (stats?.isFile()) return this.#readFile(place);
    this.#leaveOut(path, 'the link leads to neither a file nor a folder', 'Remove it.');
  }

  async #readFile({ path, real }: Place): Promise<void> {
    // A name that is not UTF-8 finds no file.
    if (!this.collector.admitsPath(path)) return;
    try {
      const { size } = await stat(real);
      if (!this.collector.admitsFile(path, size)) return;
      this.collector.take(path, await readLayerFileStart(real, limitReadSize(path, size)));
    } catch (error) {
      this.#leaveOutUnread(path, error);
    }
  }

  #leaveOut(path: string, reason: string, hint: string): void {
    this.collector.leaveOut(path, reason, hint);
  }

  /** What cannot be read just now is not left out: a job without it would be another one. */
  #leaveOutUnread(path: string, error: unknown): void {
    if (isPassingFault(error)) throw error;
    // It was listed a moment ago, so the layer is being replaced.
    if (findErrorCode(error) === 'ENOENT') throw new ReplacedError(toErrorMessage(error));
    const why = findErrorCode(error) ?? toErrorMessage(error);
    this.#leaveOut(
      path,
      `it cannot be read (${why})`,
      'Let the user that the runner runs as read it (chmod u+rX, chown), or remove it.',
    );
  }
}

class ReplacedError extends Error {}

const listLayerFolder = (folder: string): Promise<Dirent[]> =>
  readdir(folder, { withFileTypes: true });

/**
 * Reads a layer from a folder. Faulty items are left out with a reason; links inside the layer are
 * followed. A layer that is being replaced is read again. Throws SvcError: `config-invalid` if the
 * folder is missing or unreadable, `temporarily-unavailable` if a later try may succeed.
 */
export async function readLayer(
  name: LayerName,
  dir: string,
  options: ReadOptions = {},
): Promise<Layer> {
  for (let attempt = 1; ; attempt += 1)
    try {
      return await readLayerOnce(name, dir, options);
    } catch (error) {
      if (attempt === ATTEMPTS || !mayBeReplaced(error)) throw error;
      await setTimeout(REPLACING_MS);
    }
}

/** Whether the folder, or something listed in it, is gone. */
const mayBeReplaced = (error: unknown): boolean =>
  error instanceof SvcError &&
  (error.cause instanceof ReplacedError || findErrorCode(error.cause) === 'ENOENT');

async function readLayerOnce(name: LayerName, dir: string, options: ReadOptions): Promise<Layer> {
  const root = await findRoot(name, dir);
  const reader = new FolderReader(root, options);
  try {
    const { ino } = await stat(root);
    await reader.read();
    if ((await stat(root)).ino !== ino) throw new ReplacedError('another folder is in its place');
  } catch (error) {
    throw new SvcError(
      error instanceof ReplacedError ? 'temporarily-unavailable' : 'config-invalid',
      `The ${name} layer ${root} cannot be read: ${toErrorMessage(error)}.`,
      { cause: error },
    );
  }
  const { files, leftOut } = reader.collector;
  return { name, origin: root, root, files, ...(leftOut.length > 0 ? { leftOut } : {}) };
}
