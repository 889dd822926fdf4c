import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { ProgramStart, SessionSandbox } from '../../contract/session/sandbox.ts';
import type { SandboxMode, SandboxProfile } from '../../base/agents/sandboxProfiles.ts';
import { SvcError } from '../../base/errors/errors.ts';
import type { SandboxSettings } from '../../contract/schema/runner/settings.ts';
import { wrapInBubblewrap, type PathKind } from './wrapInBubblewrap.ts';
import { findRuntime } from './findRuntime.ts';
import type { HostPolicy } from './host/policy.ts';
import { prefixProgram } from './prefixProgram.ts';
import type { ProbedSandbox } from './probe.ts';
import { computeReach, type Reach } from './computeReach.ts';
import type { OpenedSandbox, SandboxNeed, Sandboxes } from './sandboxes.ts';
import { tmpdir } from 'node:os';

/** The program around sessions in the profile `runtime`, and what node needs to run it. */
interface HostProgram {
  file: string;
  execArgv: readonly string[];
}

/** In the built package, or in the sources if the runner runs from them. */
export const resolveHostProgram = (packageRoot: string, fromSource: boolean): HostProgram =>
  fromSource
    ? {
        file: join(packageRoot, 'src/executors/sandbox/host/main.ts'),
        execArgv: ['--import', import.meta.resolve('tsx')],
      }
    : { file: join(packageRoot, 'dist/runner/sandboxHost.js'), execArgv: [] };

/** Longest folder, characters: a socket's path may have 107, and the runtime's names take 45. */
const MAX_CHARS = 60;

/**
 * The folder for a sandbox's sockets: the one for temporary files, unless it is hidden inside
 * (which has a /dev of its own) or its path is too long for a socket.
 */
function chooseSocketFolder(): string {
  const own = realpathSync(tmpdir());
  return own.startsWith('/dev/') || own.length > MAX_CHARS ? '/tmp' : own;
}

/**
 * File in the session's folder with the way to the tool server, if the network is cut off. Holds
 * the password of the session's proxy (0600).
 */
const resolveWayFile = (sessionDir: string): string => join(sessionDir, 'tool-way.json');

/** Executors whose programs the runner starts itself. */
const CONFINED: ReadonlySet<string> = new Set(['command', 'builtin', 'acp', 'claude']);

export const resolveSandboxMode = (
  { sandbox }: Pick<SandboxSettings, 'sandbox'>,
  unattended: boolean,
): SandboxMode => (sandbox === 'off' && unattended ? 'auto' : sandbox);

/** Why a session of this executor cannot be confined, as a clause; null = it can. */
export const explainUnconfinedSession = (
  executor: string,
  sandbox: ProbedSandbox,
): string | null => {
  if (!CONFINED.has(executor))
    return `the executor ${executor} is an installed plugin, whose processes svc does not confine`;
  return sandbox.profile === null ? sandbox.lacks : null;
};

/** The sandbox runtime has its own versions of these, without anything of the machine. */
const OWN_INSIDE = ['/dev', '/proc'];

/** Why the job's folder is invisible inside, as a clause; null = it is visible. */
export const explainHiddenJobFolder = (
  profile: SandboxProfile | null,
  jobDir: string,
): string | null => {
  const place = OWN_INSIDE.find((folder) => jobDir.startsWith(`${folder}/`));
  return profile !== 'runtime' || place === undefined
    ? null
    : `the folder of the job, ${jobDir}, lies in ${place}, of which a sandbox has one of its own`;
};

/** The error for a session or job that must not run without a sandbox. */
export const createSandboxRefusal = (lacks: string): SvcError =>
  new SvcError(
    'cannot-run',
    `runner.sandbox is required, and no sandbox can be used: ${lacks}. Run svc doctor, which names the commands that fix it, or set runner.sandbox to auto.`,
  );

const readPathKind = (path: string): PathKind => {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined || stats.isSymbolicLink()) return null;
  return stats.isDirectory() ? 'folder' : 'file';
};

/** Mounts are made at real paths; a missing path is kept as it is. */
const toRealPath = (path: string): string => {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
};

const NOTHING = {
  state: 'none',
  sandbox: undefined,
  close: async (): Promise<string[]> => [],
} as const;

/** Whether no link lies between `folder` and a path below it. */
const isFreeOfLinks = (path: string, folder: string): boolean =>
  toRealPath(path) === join(toRealPath(folder), relative(folder, path));

interface SandboxOptions {
  home: string;
  personHome: string;
  /** The folders of svc and of its node. */
  programs: readonly string[];
  host: HostProgram;
  probe(settings: SandboxSettings): Promise<ProbedSandbox>;
  bwrap: () => string;
}

export class SessionSandboxes implements Sandboxes {
  readonly #options: SandboxOptions;
  readonly #prefix: string;

  constructor(options: SandboxOptions) {
    this.#options = options;
    const hash = createHash('sha256').update(options.home).digest('hex').slice(0, 8);
    this.#prefix = `svc-sandbox-${hash}-`;
  }

  sweep(): void {
    const folder = chooseSocketFolder();
    for (const name of readdirSync(folder))
      if (name.startsWith(this.#prefix))
        rmSync(join(folder, name), { recursive: true, force: true });
  }

  async refusal(settings: SandboxSettings, executors: readonly string[]): Promise<SvcError | null> {
    if (settings.sandbox !== 'required') return null;
    const sandbox = await this.#options.probe(settings);
    const lacks = executors
      .map((id) => explainUnconfinedSession(id, sandbox))
      .find((lack) => lack !== null);
    return lacks === undefined ? null : createSandboxRefusal(lacks ?? '');
  }

  probe(settings: SandboxSettings): Promise<ProbedSandbox> {
    return this.#options.probe(settings);
  }

  async open(need: SandboxNeed): Promise<OpenedSandbox> {
    const { settings, executor } = need;
    const mode = resolveSandboxMode(settings, need.unattended);
    if (mode === 'off') return { ...NOTHING, wanted: false, reason: null };
    const usableSandbox = await this.#options.probe(settings);
    const { profile } = usableSandbox;
    const lacks =
      explainUnconfinedSession(executor, usableSandbox) ??
      explainHiddenJobFolder(profile, toRealPath(need.places.jobDir));
    if (lacks !== null || profile === null) {
      if (mode === 'required') throw createSandboxRefusal(lacks ?? '');
      return { ...NOTHING, wanted: true, reason: lacks };
    }
    const { wrap, close } = await this.#wrapper(profile, need);
    const sandbox = { profile, wrap, bridge: profile === 'runtime' };
    return { state: profile, wanted: true, reason: null, sandbox, close };
  }

  async #wrapper(
    profile: SandboxProfile,
    need: SandboxNeed,
  ): Promise<Pick<SessionSandbox, 'wrap'> & Pick<OpenedSandbox, 'close'>> {
    const { settings, places } = need;
    if (profile === 'command') {
      const { jobDir: job, home } = places;
      return {
        wrap: (start, cwd) => prefixProgram(settings.sandboxCommand, start, { job, home, cwd }),
        close: NOTHING.close,
      };
    }
    const reach = this.#reach(need);
    if (profile === 'bubblewrap')
      return {
        wrap: (start, cwd) =>
          wrapInBubblewrap(this.#options.bwrap(), start, toRealPath(cwd), reach, readPathKind),
        close: NOTHING.close,
      };
    return this.#openHosted(reach, need);
  }

  #reach({ places, layer, hosts, settings }: SandboxNeed): Reach {
    const { personHome, programs } = this.#options;
    const visiblePaths = [...programs, ...(layer === null ? [] : [layer])].map(toRealPath);
    return computeReach(
      {
        home: toRealPath(places.home),
        workingDir: toRealPath(places.workingDir),
        jobDir: toRealPath(places.jobDir),
        // Agents of the other job may have replaced it by a link.
        shared: places.shared
          .filter((path) => isFreeOfLinks(path, places.workingDir))
          .map(toRealPath),
        caches: (places.caches ?? []).map(toRealPath),
        programs: visiblePaths,
        personHome: toRealPath(personHome),
      },
      [...settings.sandboxHosts, ...hosts],
    );
  }

  async #openHosted(
    reach: Reach,
    { toolUrl, sessionDir }: SandboxNeed,
  ): Promise<Pick<SessionSandbox, 'wrap'> & Pick<OpenedSandbox, 'close'>> {
    const { host } = this.#options;
    const entry = findRuntime()?.entry ?? '';
    const dir = await mkdtemp(join(chooseSocketFolder(), this.#prefix));
    const refusalsDir = join(dir, 'refused');
    const way = resolveWayFile(sessionDir);
    // Not /tmp where the machine shares one that programs need, as on macOS.
    const hide =
      process.platform === 'linux' ? reach.hide : reach.hide.filter((path) => path !== '/tmp');
    let serial = 0;
    const wrap = (start: ProgramStart, cwd: string): ProgramStart => {
      serial += 1;
      const policy: HostPolicy = {
        ...reach,
        hide,
        entry,
        dir,
        refused: refusalsDir,
        toolUrl,
        wayFile: way,
        cwd: toRealPath(cwd),
      };
      const file = join(dir, `policy-${serial}.json`);
      writeFileSync(file, JSON.stringify(policy), { mode: 0o600 });
      return {
        program: process.execPath,
        args: [...host.execArgv, host.file, file, start.program, ...start.args],
      };
    };
    const close = async (): Promise<string[]> => {
      const text = await readFile(refusalsDir, 'utf8').catch(() => '');
      await rm(dir, { recursive: true, force: true }).catch(() => {});
      await rm(way, { force: true }).catch(() => {});
      return [...new Set(text.split('\n').filter((line) => line !== ''))];
    };
    return { wrap, close };
  }
}
