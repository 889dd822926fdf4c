import { type Layer, layerBudget, MAX_LAYER_FILE_BYTES, pathProblem } from './layer.ts';
import { activePart } from './repoTrust.ts';

/** A file of the repository that is not part of its layer, and why. */
export interface Ignored {
  /** Path in the repository. */
  path: string;
  reason: string;
}

/** `.svc/<rest>` is `<rest>` of the overlay, `.claude/<rest>` keeps its path; null = no part of the layer. */
function overlayPath(path: string): string | null {
  if (path.startsWith('.svc/')) return path.slice('.svc/'.length);
  return path.startsWith('.claude/') ? path : null;
}

/**
 * The repo layer, from files of one commit by their path in the repository. Whatever could execute is left out and
 * listed: a repository is data until somebody trusts it. Throws SvcError `invalid` over the limits of a layer.
 */
export function layerFromTree(tree: ReadonlyMap<string, Uint8Array>, origin: string): { layer: Layer; ignored: Ignored[] } {
  const files = new Map<string, Uint8Array>();
  const ignored: Ignored[] = [];
  const budget = layerBudget(origin);
  for (const [path, bytes] of [...tree].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const rest = overlayPath(path);
    if (rest === null) continue;
    const problem = pathProblem(path);
    if (problem !== null) ignored.push({ path, reason: `its path ${problem}` });
    else if (path.startsWith('.svc/') && rest.toLowerCase().startsWith('.claude/')) {
      ignored.push({ path, reason: 'files of .claude stand at the top of the repository' });
    } else if (bytes.length > MAX_LAYER_FILE_BYTES)
      ignored.push({ path, reason: `it has more than ${MAX_LAYER_FILE_BYTES} bytes` });
    else {
      const reason = activePart(rest, bytes);
      if (reason !== null) ignored.push({ path, reason });
      else {
        budget.take(path, bytes.length);
        files.set(rest, bytes);
      }
    }
  }
  return { layer: { name: 'repo', origin, root: null, files }, ignored };
}
