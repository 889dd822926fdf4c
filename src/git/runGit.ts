import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { SvcError } from '../base/errors/errors.ts';
import { readCurrentNetwork } from '../base/system/network/network.ts';
import { cleanStderr, explainGitProblem } from './explainGitProblem.ts';
import { GIT_NEEDED } from './gitVersion.ts';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const SETTINGS_FOLDER = 'svc-settings-';

const SETTINGS: readonly (readonly [section: string, key: string, value: string])[] = [
  ['core', 'hooksPath', '/dev/null'],
  ['core', 'fsmonitor', 'false'],
  ['core', 'quotePath', 'false'],
  ['submodule', 'recurse', 'false'],
  ['log', 'showSignature', 'false'],
  ['gc', 'auto', '0'],
  ['maintenance', 'auto', 'false'],
  ['safe', 'directory', '*'],
];

/** As arguments: stronger than the configuration of a repository. */
const SETTING_ARGUMENTS: readonly string[] = SETTINGS.flatMap(([section, key, value]) => [
  '-c',
  `${section}.${key}=${value}`,
]);

const TEXT = SETTINGS.map(([section, key, value]) => `[${section}]\n\t${key} = ${value}\n`).join(
  '',
);

let file: string | null = null;

/**
 * A file with the same settings. Git does not pass its arguments to programs that it starts in
 * another repository, such as the one that serves a clone from a path; this file reaches them all.
 * One for each process, in a folder of its own, made again if a cleanup has removed it.
 */
export function ensureSettingsFile(): string {
  if (file !== null && existsSync(file)) return file;
  if (file === null) {
    const dir = mkdtempSync(join(tmpdir(), SETTINGS_FOLDER));
    file = join(dir, 'gitconfig');
    process.once('exit', () => rmSync(dir, { recursive: true, force: true }));
  }
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(file, TEXT, { mode: 0o600 });
  return file;
}

/** Longest run of one git command unless the caller says otherwise: 2 minutes. */
export const GIT_TIMEOUT_MS = 120_000;
/** Most output that is kept of one git command: 16 MiB. */
export const GIT_OUTPUT_BYTES = 16 * 1024 * 1024;
const STDERR_BYTES = 8 * 1024;

/**
 * The whole environment of git. Nothing is inherited from the runner: tokens live there, and GIT_*
 * variables would point git at other repositories. The configuration of machine and user is not
 * read. Only a git that uses the network also gets the proxies and certificate authorities of the
 * process.
 */
const ENVIRONMENT: Readonly<Record<string, string>> = {
  PATH: process.env.PATH ?? '/usr/local/bin:/usr/bin:/bin',
  HOME: '/nonexistent',
  LC_ALL: 'C',
  GIT_TERMINAL_PROMPT: '0',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_ATTR_NOSYSTEM: '1',
  // Missing objects are not fetched: the repository would choose the source and the program.
  GIT_NO_LAZY_FETCH: '1',
  // An agent can write replacement objects into its checkout; ids must mean their own content.
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_GRAFT_FILE: '/nonexistent/grafts',
  GIT_AUTHOR_NAME: 'svc',
  GIT_AUTHOR_EMAIL: 'svc@svc.invalid',
  GIT_COMMITTER_NAME: 'svc',
  GIT_COMMITTER_EMAIL: 'svc@svc.invalid',
};

const { GIT_NO_REPLACE_OBJECTS: _, ...REPLACED_ENVIRONMENT } = ENVIRONMENT;

export interface RunGitOptions {
  cwd?: string;
  /** Added to the clean environment. */
  env?: Readonly<Record<string, string>>;
  /** Written to stdin; without it stdin is empty. */
  input?: string | Uint8Array;
  signal?: AbortSignal;
  /** Default {@link GIT_TIMEOUT_MS}. */
  timeoutMs?: number;
  /** Exit codes besides 0 that are an answer and not a failure. */
  answers?: readonly number[];
  /** Default false: more output than `maxBytes` is an error. True: it is cut, and `cut` is true. */
  cutOutput?: boolean;
  /** Default {@link GIT_OUTPUT_BYTES}. */
  maxBytes?: number;
  /**
   * `latin1` makes each byte of stdout one character; `utf8` (the default) would change file names
   * that are not UTF-8.
   */
  encoding?: 'utf8' | 'latin1';
  /**
   * Git applies the repository's replaced objects (`git replace`), as it does for its user. Default
   * false.
   */
  replaced?: boolean;
  /**
   * Git also reads the configuration of the machine and of the user whose HOME is in `env`. For
   * reading only: other commands would run what is configured there. Default false.
   */
  asPerson?: boolean;
  /** Receives the output piece by piece; `stdout` is then empty. */
  onOutput?(piece: Buffer): void;
  /**
   * True lets git talk to repositories on this disk (clone, fetch); every other transport stays
   * closed. Default false.
   */
  fileProtocol?: boolean;
  /** Lets git talk to this server alone, over HTTP. Default: no network. */
  network?: GitNetwork;
}

/**
 * Login of a git server. It reaches one git process by its environment, never its arguments, and is
 * written nowhere.
 */
export interface GitNetwork {
  /**
   * Address of the repository: `https://…`, or `http://…` where the server is configured so.
   * Without user information.
   */
  url: string;
  username: string;
  password: string;
}

/**
 * Answers git's question for a login from the environment of that one process, so that no command
 * line holds a secret.
 */
const CREDENTIAL_HELPER =
  '!f() { test "$1" = get && printf "username=%s\\npassword=%s\\n" "$SVC_GIT_USERNAME" "$SVC_GIT_PASSWORD"; }; f';

/** Redirects to another server are not followed, since the login is for this one alone. */
const toNetworkSettings = ({ url }: GitNetwork): string[] =>
  [
    'credential.helper=',
    `credential.${new URL(url).origin}.helper=${CREDENTIAL_HELPER}`,
    'http.followRedirects=false',
  ].flatMap((setting) => ['-c', setting]);

const listAllowedProtocols = ({ fileProtocol, network }: RunGitOptions): string => {
  if (network) return new URL(network.url).protocol.replace(':', '');
  return fileProtocol ? 'file' : 'none';
};

export interface GitRun {
  stdout: string;
  stderr: string;
  exitCode: number;
  cut: boolean;
}

const WITH_VALUE = new Set(['-C', '-c', '--git-dir', '--work-tree', '--namespace']);

function describeGitCommand(args: readonly string[]): string {
  const command = args.find(
    (arg, at) => !arg.startsWith('-') && !WITH_VALUE.has(args[at - 1] ?? ''),
  );
  return `git ${command ?? ''}`.trim();
}

export const removeUrlCredentials = (text: string): string =>
  text.replace(/(\b[a-z][a-z0-9+.-]*:\/\/)[^/\s@]*@/gi, '$1***@');

/**
 * Runs the git program: no shell, no hooks, no prompts, no network except `network`. Rejects with
 * SvcError `internal` that holds git's stderr for an exit code that is not an answer, a timeout or
 * too much output.
 */
export async function runGit(
  args: readonly string[],
  options: RunGitOptions = {},
): Promise<GitRun> {
  const { cwd, input, signal, timeoutMs = GIT_TIMEOUT_MS, maxBytes = GIT_OUTPUT_BYTES } = options;
  signal?.throwIfAborted();
  const timeout = AbortSignal.timeout(timeoutMs);
  const { network } = options;
  const child = spawn(
    'git',
    [...SETTING_ARGUMENTS, ...(network ? toNetworkSettings(network) : []), ...args],
    {
      ...(cwd === undefined ? {} : { cwd }),
      env: {
        ...(options.replaced ? REPLACED_ENVIRONMENT : ENVIRONMENT),
        ...(options.asPerson
          ? { GIT_CONFIG_NOSYSTEM: '0' }
          : { GIT_CONFIG_GLOBAL: ensureSettingsFile() }),
        GIT_ALLOW_PROTOCOL: listAllowedProtocols(options),
        ...(network
          ? {
              ...readCurrentNetwork().gitEnvironment,
              SVC_GIT_USERNAME: network.username,
              SVC_GIT_PASSWORD: network.password,
            }
          : {}),
        ...options.env,
      },
      stdio: ['pipe', 'pipe', 'pipe'],
      // A separate process group: git's children end with it, and it has no terminal that could ask
      // for a password.
      detached: true,
    },
  );
  const end = () => {
    if (child.pid === undefined) return;
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch {
      // It has ended already.
    }
  };
  const stop = signal ? AbortSignal.any([signal, timeout]) : timeout;
  stop.addEventListener('abort', end, { once: true });
  const what = describeGitCommand(args);
  const chunks: Buffer[] = [];
  let size = 0;
  let cut = false;
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => {
    if (cut) return;
    const piece = size + chunk.length > maxBytes ? chunk.subarray(0, maxBytes - size) : chunk;
    if (options.onOutput) options.onOutput(piece);
    else chunks.push(piece);
    size += chunk.length;
    if (size <= maxBytes) return;
    cut = true;
    end();
  });
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    stderr = (stderr + chunk).slice(-STDERR_BYTES);
  });
  // A git that ends without reading its input closes the pipe; its exit code says why.
  child.stdin.on('error', () => {});
  child.stdin.end(input ?? '');

  const exitCode = await new Promise<number | null>((resolve, reject) => {
    child.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') reject(error);
      else if (cwd !== undefined && !existsSync(cwd))
        reject(new SvcError('not-found', `${what}: the folder ${cwd} does not exist.`));
      else
        reject(
          new SvcError(
            'internal',
            `The program git is not on the PATH of the runner. Install ${GIT_NEEDED}.`,
            { data: { repairable: true } },
          ),
        );
    });
    child.once('close', resolve);
  }).finally(() => stop.removeEventListener('abort', end));
  signal?.throwIfAborted();
  stderr = cleanStderr(removeUrlCredentials(stderr));
  const stdout = Buffer.concat(chunks).toString(options.encoding ?? 'utf8');
  if (timeout.aborted && exitCode === null && !cut) {
    throw new SvcError(
      'internal',
      `${what} timed out after ${timeoutMs / 1000} s. ${stderr}`.trim(),
    );
  }
  if (cut && options.cutOutput) return { stdout, stderr, exitCode: 0, cut };
  if (cut) throw new SvcError('internal', `${what} printed more than ${maxBytes} bytes.`);
  if (exitCode === 0 || (exitCode !== null && options.answers?.includes(exitCode)))
    return { stdout, stderr, exitCode, cut };
  const problem = explainGitProblem(what, stderr);
  if (problem !== null) throw problem;
  throw new SvcError(
    'internal',
    `${what} failed (${exitCode === null ? 'killed' : `exit ${exitCode}`}): ${stderr.trim() || 'no message'}`,
    {
      data: { exitCode, stderr: stderr.trim() },
    },
  );
}
