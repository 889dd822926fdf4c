import { existsSync } from 'node:fs';
import { lstat, mkdir, readFile, rm, writeFile, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { SessionKey } from '../../contract/session/sessionRef.ts';
import { prepareAgentEnvironment } from '../../executors/process/prepareAgentEnvironment.ts';
import { removeSecretFile } from '../../executors/process/writeSessionFiles.ts';
import { materialise, removeMaterialised } from '../../workflows/overlay/materialise.ts';
import type { Overlay } from '../../workflows/overlay/mergeLayers.ts';
import type { Settings } from '../../contract/schema/runner/settings.ts';
import { toCheckoutDir, ensureCheckout, type Checkout } from '../../git/checkout.ts';
import { resolveForge, type JobRepo } from '../../providers/forges.ts';
import { findCheckoutRule } from './checkouts/resolveRecipe.ts';
import { fetchCheckoutContents } from './checkouts/fetchCheckoutContents.ts';
import { readGaps, type CheckoutGaps } from '../../git/readGaps.ts';
import { removeStaleLocks } from '../../git/removeStaleLocks.ts';
import { readWork, type Work } from '../../git/readWork.ts';
import { toWorkRef, WORK_MARK } from './workInProgress.ts';
import { collectCheckoutFacts, type CheckoutFacts } from './collectCheckoutFacts.ts';
import { isAsideName } from './cleanup/jobFolder.ts';
import { hashJobFolder } from './hashJobFolder.ts';
import { keepLayers, readKeptLayers } from './layerArchive.ts';
import { describeMissingCheckout, type MissingCheckout } from './lostCheckout.ts';
import {
  buildOverlay,
  resolveOverlay,
  type OverlaySources,
  type OverlayUse,
  type ResolvedOverlay,
} from './jobOverlays.ts';

/** Only a hint: without it the agent starts afresh. */
const AGENT_SESSION = 'agent-session';
/** Only a hint: without it an agent gets incoming items twice. */
const KICKOFF_READ = 'kickoff-read';
/** In the folder of a job whose files are on another machine. Only its existence counts: agents may write here. */
const LOST_WORK = '_lost-work';

/**
 * Everything that the runner does with folders and files for its jobs. Every operation may be
 * repeated after a crash.
 */
export interface Workplace {
  /** Where a job works: `<workingDir>/<jobId>`. */
  jobDir(jobId: string): string;
  /** The overlay of a job as files; `{layer}` for an agent of a repository. */
  overlayDir(jobId: string): string;
  overlay(repo: JobRepo | null, use?: OverlayUse): Promise<ResolvedOverlay>;
  /**
   * Stores the layers of a job and returns their hash, so that the next visit can use them if they
   * cannot be read then.
   */
  keepLayers(jobId: string, resolved: ResolvedOverlay): Promise<string | null>;
  /** The overlay of the layers stored with this hash; null = they are gone. */
  readKeptOverlay(jobId: string, hash: string): Promise<ResolvedOverlay | null>;
  /** The folder in which a parent and its sub-runs publish their contracts. */
  contractsDir(parentJobId: string): string;
  /**
   * Creates the job's folder, with the overlay as files in `_intelligence/`; with `contractsFolder`
   * also that parent's contracts folder.
   */
  furnish(jobId: string, files: Overlay, contractsFolder: string | null): Promise<void>;
  /**
   * Removes `_intelligence/` of an ended job; `hasEnded` is called right before. A rerun writes it
   * again.
   */
  removeOverlay(jobId: string, hasEnded: () => boolean): Promise<void>;
  /**
   * Creates or finds the job's checkout, with the newest state of the forge's repository on this
   * disk. Throws SvcError `not-found` for a repository that the forge does not have, `conflict` if
   * `had` says that the job had one and lost it; `notes` are for the log.
   */
  checkout(
    jobId: string,
    repo: JobRepo,
    had?: HadCheckout,
  ): Promise<Pick<Checkout, 'dir' | 'absDir'> & { notes?: readonly string[] }>;
  /** Whether a checkout of a job is on this disk. */
  hasCheckout(absDir: string): boolean;
  /**
   * Whether the job continues without the files of another machine, and no session has ended since
   * then whose kickoff reported it.
   */
  hasLostWork(jobId: string): boolean;
  /** A session of the job that knew it has ended by itself. */
  forgetLostWork(jobId: string): Promise<void>;
  /** Facts about a checkout, found without running anything; never rejects. */
  checkoutFacts(checkout: string): Promise<CheckoutFacts>;
  /** What people have and a checkout lacks, such as files of Git LFS; never rejects. */
  checkoutGaps(checkout: string): Promise<CheckoutGaps>;
  /**
   * State of the job's files: those of its checkout, compared with the branch `base` of its origin
   * unless that is null, or of its folder if `checkout` is null. Null = unknown. Never rejects.
   */
  work(jobId: string, checkout: string | null, base: string | null): Promise<Work | null>;
  /**
   * Creates the folder of one session (0700); returns it with the whole environment of its agent.
   */
  session(ref: SessionKey): Promise<{ dir: string; env: Record<string, string> }>;
  /** Stores the id under which the agent could continue its session. */
  keepAgentSession(ref: SessionKey, id: string): Promise<void>;
  agentSession(ref: SessionKey): Promise<string | null>;
  /**
   * Records that the agent has read the session's kickoff, with the number of the last inbox item
   * in it; null = unknown.
   */
  noteKickoffRead(ref: SessionKey, upTo: number): Promise<void>;
  kickoffRead(ref: SessionKey): Promise<number | null>;
  /**
   * Removes locks that a killed git has left in the checkouts of a job; returns their paths. Only
   * while no process of the job is alive. Never rejects.
   */
  removeStaleLocks(jobId: string): Promise<string[]>;
  /** Removes the secrets from the folder of an ended session. */
  forgetSecrets(ref: SessionKey): Promise<void>;
}

/** What is known of a checkout that the job had. */
export interface HadCheckout extends Pick<MissingCheckout, 'recorded' | 'rows'> {
  /** Branches that the job has pushed, newest first. */
  branches(): readonly string[];
}

export interface WorkplaceOptions extends OverlaySources {
  settings: Pick<Settings, 'paths' | 'baseIntelligence' | 'tenant' | 'llm' | 'checkout'> & {
    cloud: Pick<Settings['cloud'], 'lostWork'>;
  };
  /** Whether the state of this home was that of another machine; default: it was not. */
  isFromElsewhere?(): boolean;
  /** The runner's own environment; a list decides what agents get of it. */
  hostEnv: Readonly<Record<string, string | undefined>>;
  /** Folder that holds the `svc` program for agents. */
  binDir: string;
  /** Further variables of a job's programs; default: none. */
  readVariables?(jobId: string): Readonly<Record<string, string>>;
}

const describeBegin = (
  note: string,
  { continuedBranch, continuesWork }: Pick<Checkout, 'continuedBranch' | 'continuesWork'>,
): string => {
  if (continuesWork)
    return 'the job was taken over from another machine and gets a fresh clone with its files as they were at the end of an earlier session; what came after it is not here';
  return continuedBranch === undefined
    ? note
    : `${note}; it begins at the branch ${continuedBranch}`;
};

/** Removes what has this name and is not a folder. */
const removeNonFolder = async (path: string): Promise<void> => {
  const stats = await lstat(path).catch(() => null);
  if (stats !== null && !stats.isDirectory()) await rm(path);
};

export const createWorkplace = ({
  settings,
  hostEnv,
  binDir,
  isFromElsewhere = () => false,
  readVariables = () => ({}),
  ...sources
}: WorkplaceOptions): Workplace => {
  const { forges } = sources;
  const jobDir = (jobId: string): string => join(settings.paths.workingDir, jobId);
  const overlayDir = (jobId: string): string => join(jobDir(jobId), '_intelligence');
  const layersDir = (jobId: string): string => join(jobDir(jobId), '_layers');
  const lostWorkFile = (jobId: string): string => join(jobDir(jobId), LOST_WORK);
  const sessionDir = ({ jobId, visit, session }: SessionKey): string =>
    join(jobDir(jobId), '_sessions', `${visit}.${session}`);
  const folder = async (path: string): Promise<string> => {
    await mkdir(path, { recursive: true, mode: 0o700 });
    return path;
  };
  return {
    jobDir,
    overlayDir,
    overlay: (repo, use) => resolveOverlay(settings, sources, repo, use),
    async keepLayers(jobId, { sources: read }) {
      return read === undefined ? null : keepLayers(layersDir(jobId), read);
    },
    async readKeptOverlay(jobId, hash) {
      const layerSources = await readKeptLayers(layersDir(jobId), hash);
      if (layerSources === null) return null;
      // Whether a person still trusts a remote repository is not known here.
      const remote = layerSources.remote && {
        ...layerSources.remote,
        layer: { ...layerSources.remote.layer, trusted: false },
      };
      const tenant = remote === null ? null : await sources.tenantLayer?.().catch(() => null);
      return buildOverlay(settings, sources, { ...layerSources, remote: tenant ?? remote });
    },
    contractsDir: (parentJobId) => join(jobDir(parentJobId), 'contracts'),
    async furnish(jobId, files, contractsFolder) {
      if (contractsFolder !== null) await folder(join(jobDir(contractsFolder), 'contracts'));
      // The same path in every phase, so that prompts can name it.
      await folder(jobDir(jobId));
      await materialise(files, overlayDir(jobId));
    },
    removeOverlay: (jobId, hasEnded) => removeMaterialised(overlayDir(jobId), hasEnded),
    async checkout(jobId, repo, had) {
      const absDir = join(jobDir(jobId), toCheckoutDir(repo.slug));
      const lostCheckout =
        had === undefined
          ? null
          : describeMissingCheckout({
              ...had,
              absDir,
              // A checkout is followed by the overlay, so one was made here where that exists.
              isFromElsewhere: isFromElsewhere() && !existsSync(overlayDir(jobId)),
              lostWork: settings.cloud.lostWork,
            });
      const forge = resolveForge(forges, repo);
      const source = await forge.source(repo.slug, { fresh: true });
      if (!source) throw new Error(`a forge did not clone ${repo.slug}`);
      const { path, slug, defaultBranch } = source;
      const targetDir = await folder(jobDir(jobId));
      const isContinued = lostCheckout?.fate === 'elsewhere';
      if (isContinued) await writeFile(lostWorkFile(jobId), '', { mode: 0o600 });
      const workRef = isContinued ? await forge.workRefs?.fetch(slug, toWorkRef(jobId)) : null;
      if (workRef) await writeFile(join(targetDir, WORK_MARK), '', { mode: 0o600 });
      const contentNotes: string[] = [];
      const { dir, ...begun } = await ensureCheckout({
        repoPath: path,
        jobDir: targetDir,
        slug,
        baseBranch: defaultBranch,
        async fill(cloneDir) {
          const rule = findCheckoutRule(settings.checkout, slug);
          contentNotes.push(...(await fetchCheckoutContents({ forge, slug, cloneDir, rule })));
        },
        ...(isContinued ? { branches: had?.branches() ?? [], workRef: workRef ?? null } : {}),
      });
      const aside = (await readdir(targetDir)).find((name) => isAsideName(name, dir));
      const asideNote =
        isContinued && aside !== undefined
          ? `; the checkout that this machine had before is ${join(targetDir, aside)}`
          : '';
      return {
        dir,
        absDir,
        notes: [
          ...(lostCheckout === null
            ? []
            : [`${describeBegin(lostCheckout.note, begun)}${asideNote}`]),
          ...contentNotes,
        ],
      };
    },
    hasCheckout: (absDir) => existsSync(absDir),
    hasLostWork: (jobId) => existsSync(lostWorkFile(jobId)),
    forgetLostWork: (jobId) => rm(lostWorkFile(jobId), { force: true }),
    checkoutFacts: collectCheckoutFacts,
    checkoutGaps: readGaps,
    async work(jobId, checkout, base) {
      if (checkout !== null) return readWork(checkout, base);
      const hash = await hashJobFolder(jobDir(jobId));
      return hash === null ? null : { hash, changed: null };
    },
    async session(ref) {
      const dir = sessionDir(ref);
      // A sandboxed agent may have put links here, through which the runner would write elsewhere.
      for (const place of [dirname(dir), dir]) await removeNonFolder(place);
      await folder(dir);
      return {
        dir,
        env: await prepareAgentEnvironment({
          hostEnv,
          jobDir: jobDir(ref.jobId),
          binDir,
          extra: readVariables(ref.jobId),
        }),
      };
    },
    async keepAgentSession(ref, id) {
      await writeFile(join(await folder(sessionDir(ref)), AGENT_SESSION), id, { mode: 0o600 });
    },
    async agentSession(ref) {
      const id = await readFile(join(sessionDir(ref), AGENT_SESSION), 'utf8').catch(() => '');
      return id === '' ? null : id;
    },
    async noteKickoffRead(ref, upTo) {
      await writeFile(join(await folder(sessionDir(ref)), KICKOFF_READ), String(upTo), {
        mode: 0o600,
      });
    },
    async kickoffRead(ref) {
      const text = await readFile(join(sessionDir(ref), KICKOFF_READ), 'utf8').catch(() => '');
      return /^\d{1,15}$/.test(text) ? Number(text) : null;
    },
    removeStaleLocks: (jobId) => removeStaleLocks(jobDir(jobId)),
    forgetSecrets: (ref) => removeSecretFile(sessionDir(ref)),
  };
};
