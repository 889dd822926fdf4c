import { agentFileReason } from './agentFiles.ts';
import { type Layer, layerBudget, MAX_LAYER_FILE_BYTES, pathProblem } from './layer.ts';
import { activePart } from './repoTrust.ts';
import { type Wanted, wantedTexts } from './wanted.ts';

/** Folders of a repository that may hold intelligence, and the file in which it declares tool servers. */
export const REPO_LAYER_PREFIXES = ['.svc/', '.claude/', '.mcp.json'];

/** A file of the repository that is not part of its layer, and why. */
export interface Ignored {
  /** Path in the repository. */
  path: string;
  reason: string;
}

export interface RepoLayer {
  layer: Layer;
  ignored: readonly Ignored[];
  /** What would be used too if a person trusted it. */
  wanted: readonly Wanted[];
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
export function layerFromTree(tree: ReadonlyMap<string, Uint8Array>, origin: string): RepoLayer {
  const files = new Map<string, Uint8Array>();
  const ignored: Ignored[] = [];
  const wanted: Wanted[] = [];
  const pathInRepo = new Map<string, string>();
  const budget = layerBudget(origin);
  for (const [path, bytes] of [...tree].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const rest = overlayPath(path);
    const ofAgent = agentFileReason(path);
    if (ofAgent !== null) {
      ignored.push({ path, reason: ofAgent });
      wanted.push({ path, overlayPath: null, reason: ofAgent, bytes, leftOut: true });
      continue;
    }
    if (rest === null && path !== '.mcp.json') continue;
    const problem = pathProblem(path);
    if (problem !== null) ignored.push({ path, reason: `its path ${problem}` });
    else if (path.startsWith('.svc/') && rest?.toLowerCase().startsWith('.claude/')) {
      ignored.push({ path, reason: 'files of .claude stand at the top of the repository' });
    } else if (bytes.length > MAX_LAYER_FILE_BYTES)
      ignored.push({ path, reason: `it has more than ${MAX_LAYER_FILE_BYTES} bytes` });
    else {
      const reason = activePart(rest ?? path, bytes);
      if (reason !== null) {
        ignored.push({ path, reason });
        wanted.push({ path, overlayPath: rest, reason, bytes, leftOut: true });
      } else if (rest !== null) {
        budget.take(path, bytes.length);
        files.set(rest, bytes);
        pathInRepo.set(rest, path);
      }
    }
  }
  wanted.push(...wantedTexts(files, (inOverlay) => pathInRepo.get(inOverlay) ?? inOverlay));
  return { layer: { name: 'repo', origin, root: null, files }, ignored, wanted };
}

/** The same layer once a person has trusted all that it wants. */
export function trustedLayer({ layer, ignored, wanted }: RepoLayer): RepoLayer {
  const files = new Map(layer.files);
  for (const { overlayPath: path, bytes, leftOut } of wanted) if (leftOut && path !== null) files.set(path, bytes);
  // No agent program is let read what configures it, trusted or not.
  const kept = new Set(wanted.map(({ path }) => path).filter((path) => agentFileReason(path) === null));
  return { layer: { ...layer, files, trusted: true }, ignored: ignored.filter(({ path }) => !kept.has(path)), wanted };
}
