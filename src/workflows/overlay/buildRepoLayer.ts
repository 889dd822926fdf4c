import type { Layer, LeftOutItem } from './layer.ts';
import { compareByUse, isSkippedPath, LayerCollector } from './layerCollector.ts';
import { limitReadSize } from './layerFiles.ts';
import { findTrustCandidates, type TrustCandidate } from '../trust/trustCandidates.ts';
import { CHECKOUT_FILE } from '../definition/parseCheckoutFile.ts';
import { parseFrontMatter } from '../definition/parseFrontMatter.ts';

/** Files and folders of a repository that configure an agent program, by program. */
const AGENT_FILES: readonly (readonly [prefix: string, program: string])[] = [
  ['.opencode/', 'opencode'],
  ['opencode.json', 'opencode'],
  ['opencode.jsonc', 'opencode'],
  ['.gemini/', 'Gemini CLI'],
  ['.codex/', 'codex'],
];

export const AGENT_FILE_PREFIXES: readonly string[] = AGENT_FILES.map(([prefix]) => prefix);

/**
 * Why a repository's file is shown before it is trusted although it is no part of the overlay; null
 * = it configures no agent program.
 */
function explainAgentFile(path: string): string | null {
  const agentFile = AGENT_FILES.find(([prefix]) =>
    prefix.endsWith('/') ? path.startsWith(prefix) : path === prefix,
  );
  return agentFile === undefined
    ? null
    : `it configures ${agentFile[1]}, which can run its programs`;
}

/** Kinds of file that are only read. Everything else of a repository counts as a program. */
const PASSIVE = /\.(md|txt|json|ya?ml|csv)$/;
/** Front matter keys by which an agent host starts programs or servers, or skips its questions. */
const ACTIVE_KEYS = ['hooks', 'mcpServers', 'permissionMode', 'allowed-tools'];
/** Agent hosts replace !`command` in skills by the command's output. */
const SHELL_LINE = /!`[^`\n]+`/;

function explainActiveMarkdown(path: string, bytes: Uint8Array): string | null {
  const text = new TextDecoder().decode(bytes);
  if (SHELL_LINE.test(text)) return 'it holds a shell line (!`command`) that agent hosts run';
  const front = parseFrontMatter(text, path);
  if (front.diagnostics.length > 0) return 'its front matter cannot be read';
  const key = ACTIVE_KEYS.find((one) => Object.hasOwn(front.data, one));
  return key === undefined ? null : `its front matter declares ${key}`;
}

/**
 * Why a repository's file is left out of the overlay: it could make something run. null = it is
 * only text. `path`: in the overlay.
 */
function explainActiveFile(path: string, bytes: Uint8Array): string | null {
  const lower = path.toLowerCase();
  const name = lower.split('/').at(-1) ?? lower;
  if (name === '.mcp.json' || name === 'mcp.json') return 'it declares tool servers';
  if (lower === CHECKOUT_FILE) return 'its scripts set up checkouts';
  if (/(^|\/)hooks(\/|$)/.test(lower) || name === 'hooks.json') return 'hooks run programs';
  if (lower.startsWith('guardrails/')) return 'guardrails run programs';
  if (lower.startsWith('.claude/commands/')) return 'commands run shell lines';
  if (lower.startsWith('.claude/plugins/')) return 'plugins run programs';
  if (!PASSIVE.test(path)) return 'it is not a text file, so it may be a program';
  if (!lower.startsWith('.claude/')) return null;
  if (!path.startsWith('.claude/')) return 'the folder must be spelled .claude';
  if (!lower.endsWith('.md') && !lower.startsWith('.claude/skills/'))
    return 'settings can start programs and send keys elsewhere';
  return lower.endsWith('.md') ? explainActiveMarkdown(path, bytes) : null;
}

/** Folders of a repository that may hold intelligence, and its file with tool servers. */
export const REPO_LAYER_PREFIXES = ['.svc/', '.claude/', '.mcp.json'];

/** A repository's file outside of its layer, and why. */
export interface IgnoredFile {
  path: string;
  reason: string;
  /** What the file belongs to; default: the repository. */
  of?: string;
}

export interface RepoLayer {
  layer: Layer;
  ignored: readonly IgnoredFile[];
  /** Further files that trust would add. */
  wanted: readonly TrustCandidate[];
}

/**
 * `.svc/<rest>` is `<rest>` of the overlay, `.claude/<rest>` keeps its path; null = not in the
 * layer.
 */
function toPathInOverlay(path: string): string | null {
  if (path.startsWith('.svc/')) return path.slice('.svc/'.length);
  return path.startsWith('.claude/') ? path : null;
}

/** Files of one commit by path in the repository, and the unreadable ones. */
export interface TreeFiles {
  files: ReadonlyMap<string, Uint8Array>;
  /** By the same paths; default: none. */
  leftOut?: readonly LeftOutItem[];
}

/**
 * The repo layer. Whatever could execute is left out and listed: a repository is data until a user
 * trusts it. Faulty files are left out as in a folder.
 */
export const buildRepoLayer = (tree: TreeFiles, origin: string): RepoLayer =>
  buildTreeLayer(tree, origin, { name: 'repo', inOverlay: toPathInOverlay });

/**
 * The tenant layer, from files by path in the overlay. Whatever could execute is left out too:
 * those who can push to the repository are not the person who runs svc.
 */
export const buildRemoteTenantLayer = (tree: TreeFiles, origin: string): RepoLayer =>
  buildTreeLayer(tree, origin, {
    name: 'tenant',
    inOverlay: (path) => (isProposalPath(path) ? null : path),
  });

/** Proposals that are not applied yet; a folder's layer leaves them out too. */
const isProposalPath = (path: string): boolean => path.startsWith('proposals/');

function buildTreeLayer(
  { files: tree, leftOut = [] }: TreeFiles,
  origin: string,
  { name, inOverlay }: { name: Layer['name']; inOverlay(path: string): string | null },
): RepoLayer {
  const ignoredFiles: IgnoredFile[] = [];
  const trustCandidates: TrustCandidate[] = [];
  const pathInRepo = new Map<string, string>();
  const collector = new LayerCollector();
  for (const { path, reason, hint } of leftOut)
    if (!isSkippedPath(path) && inOverlay(path) !== null)
      collector.leaveOut(inOverlay(path) ?? path, reason, hint);
  const candidates = [...tree].map(([path, bytes]) => ({ path, bytes, rest: inOverlay(path) }));
  for (const { path, bytes, rest } of candidates.sort((a, b) =>
    compareByUse(a.rest ?? a.path, b.rest ?? b.path),
  )) {
    const ofAgent = explainAgentFile(path);
    if (ofAgent !== null) {
      ignoredFiles.push({ path, reason: ofAgent });
      // Never part of an overlay, trusted or not; of a checkout it is part of what is trusted.
      if (name === 'repo')
        trustCandidates.push({ path, overlayPath: null, reason: ofAgent, bytes, leftOut: true });
      continue;
    }
    if (isSkippedPath(path) || (rest === null && (name !== 'repo' || path !== '.mcp.json')))
      continue;
    if (path.startsWith('.svc/') && rest?.toLowerCase().startsWith('.claude/')) {
      ignoredFiles.push({ path, reason: 'files of .claude belong at the top of the repository' });
      continue;
    }
    if (!collector.admitsFile(rest ?? path, bytes.length)) continue;
    const reason = explainActiveFile(rest ?? path, bytes);
    if (reason !== null) {
      ignoredFiles.push({ path, reason });
      trustCandidates.push({ path, overlayPath: rest, reason, bytes, leftOut: true });
    } else if (rest !== null) {
      collector.take(rest, bytes.subarray(0, limitReadSize(rest, bytes.length)));
      if (collector.has(rest)) pathInRepo.set(rest, path);
    }
  }
  const { files } = collector;
  trustCandidates.push(
    ...findTrustCandidates(files, (layerPath) => pathInRepo.get(layerPath) ?? layerPath),
  );
  const bad = collector.leftOut.length > 0 ? { leftOut: collector.leftOut } : {};
  return {
    layer: { name, origin, root: null, files, ...bad },
    ignored: ignoredFiles,
    wanted: trustCandidates,
  };
}

/** The layer after a person has trusted everything in `wanted`. */
export function toTrustedLayer({ layer, ignored, wanted }: RepoLayer): RepoLayer {
  const files = new Map(layer.files);
  for (const { overlayPath: path, bytes, leftOut } of wanted)
    if (leftOut && path !== null) files.set(path, bytes);
  // No agent program may read its own configuration, trusted or not.
  const keptPaths = new Set(
    wanted.map(({ path }) => path).filter((path) => explainAgentFile(path) === null),
  );
  return {
    layer: { ...layer, files, trusted: true },
    ignored: ignored.filter(({ path }) => !keptPaths.has(path)),
    wanted,
  };
}
