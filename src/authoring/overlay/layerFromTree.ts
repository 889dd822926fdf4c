import { agentFileReason } from './agentFiles.ts';
import { type Layer, layerBudget, MAX_LAYER_FILE_BYTES, pathProblem } from './layer.ts';
import { readSize } from './layerFiles.ts';
import { activePart } from '../trust/repoTrust.ts';
import { type Wanted, wantedTexts } from '../trust/runnable.ts';

/**
 * Folders of a repository that may hold intelligence, and the file in which it declares tool
 * servers.
 */
export const REPO_LAYER_PREFIXES = ['.svc/', '.claude/', '.mcp.json'];

/** A file of the repository that is not part of its layer, and why. */
export interface Ignored {
  /** Path in the repository. */
  path: string;
  reason: string;
  /** What it is a file of; default: the repository. */
  of?: string;
}

export interface RepoLayer {
  layer: Layer;
  ignored: readonly Ignored[];
  /** What would be used too if a person trusted it. */
  wanted: readonly Wanted[];
}

/**
 * `.svc/<rest>` is `<rest>` of the overlay, `.claude/<rest>` keeps its path; null = no part of the
 * layer.
 */
function overlayPath(path: string): string | null {
  if (path.startsWith('.svc/')) return path.slice('.svc/'.length);
  return path.startsWith('.claude/') ? path : null;
}

/**
 * The repo layer, from files of one commit by their path in the repository. Whatever could execute
 * is left out and listed: a repository is data until a user trusts it. Throws SvcError `invalid`
 * over the limits of a layer.
 */
export const layerFromTree = (tree: ReadonlyMap<string, Uint8Array>, origin: string): RepoLayer =>
  layerOf(tree, origin, { name: 'repo', inOverlay: overlayPath });

/**
 * The tenant layer, from files of one commit by their path in the overlay. What could execute is
 * left out as well: those who can push to the repository are not the person who runs svc.
 */
export const remoteTenantLayer = (
  tree: ReadonlyMap<string, Uint8Array>,
  origin: string,
): RepoLayer =>
  layerOf(tree, origin, { name: 'tenant', inOverlay: (path) => (isSkipped(path) ? null : path) });

/**
 * What a folder's layer leaves out too: installed packages, and proposals that are not applied yet.
 */
const isSkipped = (path: string): boolean =>
  path.startsWith('proposals/') || /(^|\/)node_modules\//.test(path);

function layerOf(
  tree: ReadonlyMap<string, Uint8Array>,
  origin: string,
  { name, inOverlay }: { name: Layer['name']; inOverlay(path: string): string | null },
): RepoLayer {
  const files = new Map<string, Uint8Array>();
  const ignored: Ignored[] = [];
  const wanted: Wanted[] = [];
  const pathInRepo = new Map<string, string>();
  const budget = layerBudget(origin);
  for (const [path, bytes] of [...tree].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const rest = inOverlay(path);
    const ofAgent = agentFileReason(path);
    if (ofAgent !== null) {
      ignored.push({ path, reason: ofAgent });
      // No trust brings it into an overlay; of a checkout it is part of what is trusted.
      if (name === 'repo')
        wanted.push({ path, overlayPath: null, reason: ofAgent, bytes, leftOut: true });
      continue;
    }
    if (rest === null && (name !== 'repo' || path !== '.mcp.json')) continue;
    const problem = pathProblem(path);
    if (problem !== null) ignored.push({ path, reason: `its path ${problem}` });
    else if (path.startsWith('.svc/') && rest?.toLowerCase().startsWith('.claude/')) {
      ignored.push({ path, reason: 'files of .claude belong at the top of the repository' });
    } else if (readSize(rest ?? path, bytes.length) > MAX_LAYER_FILE_BYTES)
      ignored.push({ path, reason: `it has more than ${MAX_LAYER_FILE_BYTES} bytes` });
    else {
      const reason = activePart(rest ?? path, bytes);
      if (reason !== null) {
        ignored.push({ path, reason });
        wanted.push({ path, overlayPath: rest, reason, bytes, leftOut: true });
      } else if (rest !== null) {
        const size = readSize(rest, bytes.length);
        budget.take(path, size);
        files.set(rest, bytes.subarray(0, size));
        pathInRepo.set(rest, path);
      }
    }
  }
  wanted.push(...wantedTexts(files, (known) => pathInRepo.get(known) ?? known));
  return { layer: { name, origin, root: null, files }, ignored, wanted };
}

/** The same layer once a person has trusted all that it wants. */
export function trustedLayer({ layer, ignored, wanted }: RepoLayer): RepoLayer {
  const files = new Map(layer.files);
  for (const { overlayPath: path, bytes, leftOut } of wanted)
    if (leftOut && path !== null) files.set(path, bytes);
  // No agent program is let read what configures it, trusted or not.
  const kept = new Set(
    wanted.map(({ path }) => path).filter((path) => agentFileReason(path) === null),
  );
  return {
    layer: { ...layer, files, trusted: true },
    ignored: ignored.filter(({ path }) => !kept.has(path)),
    wanted,
  };
}
