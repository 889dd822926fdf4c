import { isUtf8 } from '../../base/text/decodeUtf8OrNull.ts';
import {
  type LeftOutItem,
  MAX_LAYER_BYTES,
  MAX_LAYER_FILE_BYTES,
  MAX_LAYER_FILES,
  explainBadLayerPath,
} from './layer.ts';
import { limitReadSize } from './layerFiles.ts';

/** Names at the top of a layer that svc or agents' programs read, by importance. */
const USED = [
  'invariants.md',
  'checkout.md',
  'workflows',
  'agents',
  'memory',
  '.claude',
  'skills',
  '.mcp.json',
  'mcp.json',
  'CLAUDE.md',
  'AGENTS.md',
];

/** Whether svc or the agents' programs read a path. */
export const isUsedPath = (path: string): boolean => USED.includes(path.split('/', 1)[0] ?? '');

export const USED_NAMES: readonly string[] = USED;

export const compareByUse = (one: string, other: string): number => {
  const [first, second] = [one, other].map((path) => {
    const at = USED.indexOf(path.split('/', 1)[0] ?? '');
    return at === -1 ? USED.length : at;
  });
  return (first ?? 0) - (second ?? 0) || (one < other ? -1 : one > other ? 1 : 0);
};

/** Installed packages, caches and version control: never part of a layer, at any depth. */
const SKIPPED: ReadonlySet<string> = new Set([
  '.git',
  'node_modules',
  '.venv',
  'venv',
  '__pycache__',
  '.mypy_cache',
  '.pytest_cache',
  '.ruff_cache',
  '.tox',
]);

/** Whether a path belongs to no layer and is silently skipped. */
export const isSkippedPath = (path: string): boolean =>
  path.split('/').some((name) => SKIPPED.has(name));

/** Texts that agents get unchanged; workflows and agents have their own findings. */
const GIVEN_TEXT = /^(?:memory|\.claude|skills)\/.+\.md$|^(?:CLAUDE|AGENTS)\.md$/;

const toFoldedPath = (path: string): string => path.normalize('NFC').toLowerCase();

const MIB = 1024 * 1024;

/**
 * Collects the files of one layer. Faulty ones are left out with a reason, all others are taken:
 * the same rule for folders and commits, and so for jobs, lint, doctor and preflight.
 */
export class LayerCollector {
  readonly #files = new Map<string, Uint8Array>();
  readonly leftOut: LeftOutItem[] = [];
  readonly #names = new Map<string, string>();
  readonly #counts = { used: { files: 0, bytes: 0 }, beside: { files: 0, bytes: 0 } };

  leaveOut(path: string, reason: string, hint: string): void {
    this.leftOut.push({ path, reason, hint });
  }

  admitsPath(path: string): boolean {
    if (path.includes('\uFFFD')) {
      this.leaveOut(path, 'its name is not UTF-8', 'Rename it.');
      return false;
    }
    const problem = explainBadLayerPath(path);
    if (problem !== null) this.leaveOut(path, `its path ${problem}`, 'Rename it.');
    return problem === null;
  }

  admitsFile(path: string, bytes: number): boolean {
    if (!this.admitsPath(path)) return false;
    const other = this.#names.get(toFoldedPath(path));
    if (other !== undefined && other !== path) {
      this.leaveOut(
        path,
        `${other} has the same name on systems that ignore case or accents`,
        'Rename one of them.',
      );
      return false;
    }
    const size = limitReadSize(path, bytes);
    if (size > MAX_LAYER_FILE_BYTES) {
      const most = `${MAX_LAYER_FILE_BYTES / MIB} MiB (${MAX_LAYER_FILE_BYTES} bytes)`;
      this.leaveOut(path, `it has more than ${most}`, 'Shorten it or move it out.');
      return false;
    }
    return this.#hasRoom(path, size);
  }

  take(path: string, bytes: Uint8Array): void {
    if (GIVEN_TEXT.test(path) && !isUtf8(bytes)) {
      this.leaveOut(
        path,
        'it is not UTF-8 text',
        'Save it as UTF-8: most editors have "Save with encoding"; a shell has iconv -t UTF-8.',
      );
      return;
    }
    this.#names.set(toFoldedPath(path), path);
    this.#files.set(path, bytes);
  }

  get files(): ReadonlyMap<string, Uint8Array> {
    return new Map([...this.#files].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  has(path: string): boolean {
    return this.#files.has(path);
  }

  #hasRoom(path: string, size: number): boolean {
    const isUsed = isUsedPath(path);
    const count = isUsed ? this.#counts.used : this.#counts.beside;
    const which = isUsed ? 'files' : 'files beside workflows, agents, memory and skills';
    if (count.files >= MAX_LAYER_FILES) {
      this.leaveOut(
        path,
        `the layer has more than ${MAX_LAYER_FILES} ${which}`,
        'Check that it is the right folder, and keep only intelligence files in it.',
      );
      return false;
    }
    if (count.bytes + size > MAX_LAYER_BYTES) {
      this.leaveOut(
        path,
        `the ${which} of the layer have more than ${MAX_LAYER_BYTES / MIB} MiB`,
        'Keep only intelligence files in it.',
      );
      return false;
    }
    count.files += 1;
    count.bytes += size;
    return true;
  }
}
