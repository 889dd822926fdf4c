import { SvcError } from '../base/errors/errors.ts';
import { runAsCaller } from '../providers/account/caller.ts';
import { resolveForge, type Forges } from '../providers/forges.ts';
import type { Trackers } from '../providers/trackers.ts';
import type { WorkflowDiscovery } from '../workflows/definition/discoverWorkflows.ts';
import { toExecutorId } from '../workflows/definition/resolvePhaseModel.ts';
import { resolveBranch } from '../git/readCommitTree.ts';
import type { PhaseModel, Settings } from '../contract/schema/runner/settings.ts';
import { findReferences, type Reference } from './citations/findReferences.ts';
import type { CitationScope, IntakeParts, PinScope, RunnableParts } from './intakeParts.ts';
import { Pins, type Pin, type PinnedRepo } from './tools/pins.ts';
import { readPinnedFile, createRepositoryLookups } from './tools/repositoryLookups.ts';
import { createTrackerLookups } from './tools/trackerLookups.ts';
import { runGit } from '../git/runGit.ts';
import { countCommitsBeyond } from '../git/history.ts';
import { openRepository } from '../git/openRepository.ts';
import { showRawPath, splitFields } from '../git/rawPaths.ts';
import { readBlobs } from '../git/readBlobs.ts';
import type { Citation, CitationVerdict } from '../contract/schema/planning/evidence.ts';
import { checkCitedLines, type SeenLines } from './citations/checkCitedLines.ts';

interface CheckOptions {
  repo: string;
  /** Local bare repository. */
  repoPath: string;
  /** The commit that the conversation looks at. */
  commit: string;
  /** The newest commit of its branch; equal to `commit` if unknown. */
  newest: string;
  seen: readonly SeenLines[];
}

/** Checks all places against the local repository without asking the forge. */
export async function checkReferences(
  references: readonly Reference[],
  { repo, repoPath, commit, newest, seen }: CheckOptions,
): Promise<Citation[]> {
  const names = references.flatMap(({ path }) => [`${commit}:${path}`, `${newest}:${path}`]);
  const blobs = await readBlobs(repoPath, names);
  return references.map((reference) =>
    checkCitedLines(reference, {
      repo,
      pinned: blobs.get(`${commit}:${reference.path}`) ?? null,
      newest: blobs.get(`${newest}:${reference.path}`) ?? null,
      seen,
    }),
  );
}

/** If a place is in several repositories, the first of these counts. */
const BEST_FIRST: readonly CitationVerdict[] = ['seen', 'exists', 'moved', 'new', 'missing'];
const rankCitation = ({ verdict }: Citation): number => BEST_FIRST.indexOf(verdict);

/** The same for all repositories of a conversation; the one that was read first comes first. */
export async function checkInAll(
  references: readonly Reference[],
  repositories: readonly CheckOptions[],
): Promise<Citation[]> {
  const lists = await Promise.all(repositories.map((one) => checkReferences(references, one)));
  return references.flatMap((_, index) => {
    const verdicts = lists.flatMap((list) => list[index] ?? []);
    return verdicts.sort((one, other) => rankCitation(one) - rankCitation(other)).slice(0, 1);
  });
}

/** Most bytes of the names of changed files: 256 MiB. */
const MAX_CHANGED_BYTES = 256 * 1024 * 1024;

/** How far a branch has moved since a conversation pinned its commit. */
interface Drift {
  newest: string;
  /** New commits of the branch. */
  behind: number;
  /** Cited files that these commits changed. */
  changed: string[];
}

interface DriftOptions {
  repoPath: string;
  ref: string;
  commit: string;
  paths: readonly string[];
}

/**
 * Compares the pinned commit with the local branch, without asking the forge. Throws SvcError
 * `not-found` if the branch is gone.
 */
export async function measureDrift({ repoPath, ref, commit, paths }: DriftOptions): Promise<Drift> {
  const newest = await resolveBranch(repoPath, ref);
  if (newest === commit) return { newest, behind: 0, changed: [] };
  const behind = await countCommitsBeyond(openRepository(repoPath), commit, newest);
  if (paths.length === 0) return { newest, behind, changed: [] };
  const args = ['diff-tree', '-r', '--name-only', '-z', '--no-renames', commit, newest];
  const { stdout } = await runGit(args, {
    cwd: repoPath,
    encoding: 'latin1',
    maxBytes: MAX_CHANGED_BYTES,
  });
  const changedPaths = new Set(splitFields(stdout).map(showRawPath));
  return { newest, behind, changed: paths.filter((path) => changedPaths.has(path)).sort() };
}

/** The overlay's agent that describes how a chat works. */
const AGENT = 'agents/intake.md';
/** Window of an unknown model, tokens. */
const DEFAULT_WINDOW = 200_000;
const MAX_SHOWN_LINES = 5_000;

interface KnowledgeDeps {
  settings: Pick<Settings, 'plugins'>;
  forges: Forges;
  trackers: Trackers;
  /** Base and tenant layer; never that of a repository. */
  overlay(): Promise<{
    agent(path: string): { body: string };
    workflows(): Pick<WorkflowDiscovery, 'workflows' | 'broken'>;
  }>;
  screen(text: string): string;
}

const toPlanCaller = (sessionId: string) => ({ jobId: `plan/${sessionId}`, phase: 'plan' });

/** A listed place; quotes around it are allowed. */
const parseQuotedReference = (ref: string): Reference[] => {
  const [reference] = findReferences(`\`${ref}\``);
  return reference ? [{ ...reference, ref }] : [];
};

/** A conversation's access to the repositories, trackers and models of this runner. */
export function createKnowledge(deps: KnowledgeDeps): IntakeParts {
  const { settings, forges, trackers, screen } = deps;

  const pinsIn = ({ pins, isNamed, onPinned }: PinScope) =>
    new Pins({ forges, known: pins, isNamed, onPinned });

  /** A pin with its objects on this disk; with `fresh` as new as the forge has them. */
  const openPinned = async (pin: Pin, fresh: boolean): Promise<PinnedRepo> => {
    const forge = resolveForge(forges, { slug: pin.slug, provider: pin.forge });
    const source = await forge.source(pin.slug, { fresh });
    if (!source) throw new SvcError('not-found', `Repository ${pin.slug} not found.`);
    return { ...pin, source };
  };

  const readSetting = ({ provider }: PhaseModel, name: string): unknown =>
    settings.plugins[toExecutorId(provider)]?.config?.[name];

  async function citations(scope: CitationScope, refs: readonly string[]) {
    const references = refs.flatMap(parseQuotedReference);
    if (references.length === 0) return [];
    const pins = pinsIn(scope);
    const open = (slug: string | null) =>
      runAsCaller(toPlanCaller(scope.sessionId), () => pins.of(slug)).catch((error) => {
        // It is gone; or none of several was read, so that the places could be in any of them.
        if (error instanceof SvcError && error.code === 'not-found') return null;
        throw error;
      });
    const slugs = scope.pins.length === 0 ? [null] : scope.pins.map(({ slug }) => slug);
    const repositories: CheckOptions[] = [];
    for (const repo of await Promise.all(slugs.map(open))) {
      if (repo === null) continue;
      const { slug, commit, ref, source } = repo;
      const newest = await resolveBranch(source.path, ref).catch(() => commit);
      const seenLines = scope.listSeen(repo);
      repositories.push({ repo: slug, repoPath: source.path, commit, newest, seen: seenLines });
    }
    return checkInAll(references, repositories);
  }

  return {
    async systemPrompt() {
      const overlay = await deps.overlay();
      return overlay.agent(AGENT).body.trim();
    },
    lookups(scope) {
      const caller = toPlanCaller(scope.sessionId);
      return [
        ...createTrackerLookups({
          trackers,
          caller,
          refuseSecrets(text) {
            if (screen(text) !== text)
              throw new Error('This text has a secret of the runner in it and is not sent.');
          },
        }),
        ...createRepositoryLookups({ pins: pinsIn(scope), caller }),
      ];
    },
    async runnable(): Promise<RunnableParts> {
      const [overlay, lists] = await Promise.all([
        deps.overlay(),
        // An unreachable forge must not hide the repositories of the others.
        Promise.allSettled(forges.all().map((forge) => forge.repos())),
      ]);
      const { workflows, broken } = overlay.workflows();
      const forgeRepos = lists.flatMap((list) => (list.status === 'fulfilled' ? list.value : []));
      return {
        workflows: workflows.map(({ id, label, workflowPath, description }) => ({
          id,
          name: label === '' ? id : label,
          workflowPath,
          description,
        })),
        broken: broken.map(({ workflowPath }) => workflowPath),
        repositories: [...new Set(forgeRepos.map(({ slug }) => slug))].sort(),
      };
    },
    citations,
    async drift(pin, paths) {
      const { slug, ref, commit, source } = await openPinned(pin, false);
      const { behind, changed } = await measureDrift({ repoPath: source.path, ref, commit, paths });
      return { repo: slug, ref, commit, behind, changed };
    },
    async newest(pin) {
      const { source, ...known } = await openPinned(pin, true);
      return { ...known, commit: await resolveBranch(source.path, known.ref) };
    },
    async fileLines(pins, { repo, path, from = 1, to }) {
      if (to !== undefined && to < from)
        throw new SvcError('bad-argument', `"to" is ${to}: it must not be before "from", ${from}.`);
      const [first] = pins;
      const pin =
        repo === undefined
          ? first
          : pins.find(({ slug }) => slug.toLowerCase() === repo.toLowerCase());
      if (!pin)
        throw new SvcError(
          'not-found',
          `This conversation has not looked at ${repo ?? 'any repository'}.`,
        );
      const file = await readPinnedFile(await openPinned(pin, false), path);
      const lines = file.text.replace(/\n$/, '').split('\n');
      const fromLine = Math.min(from, lines.length);
      const toLine = Math.min(to ?? lines.length, lines.length, fromLine + MAX_SHOWN_LINES - 1);
      return {
        repo: pin.slug,
        commit: pin.commit,
        path: file.path,
        fromLine,
        toLine,
        lines: lines.length,
        text: lines.slice(fromLine - 1, toLine).join('\n'),
      };
    },
    readContextWindow(llm) {
      const window = readSetting(llm, 'contextWindow');
      return typeof window === 'number' && window > 0 ? window : DEFAULT_WINDOW;
    },
  };
}
