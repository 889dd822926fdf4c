import { execFile } from 'node:child_process';
import { toErrorMessage, SvcError } from '../base/errors/errors.ts';

/** Longest run of npm, ms. */
const NPM_MS = 5 * 60_000;
const MAX_OUTPUT_BYTES = 4 * 1024 * 1024;
/** How much of the end of npm's output an error quotes, characters. */
const QUOTED_CHARS = 800;

/** Quiet, and no requests besides those for the package itself. */
const FLAGS = ['--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error'];

/**
 * Environment variables that npm needs to find itself, its cache and a proxy; none holds a secret
 * of svc.
 */
const PASSED_ON = [
  'PATH',
  'HOME',
  'USERPROFILE',
  'LANG',
  'http_proxy',
  'https_proxy',
  'no_proxy',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
];
const isNpmSetting = (name: string): boolean =>
  name.toLowerCase().startsWith('npm_config_') || name === 'NODE_EXTRA_CA_CERTS';

export type HostEnv = Readonly<Record<string, string | undefined>>;

/**
 * Runs npm in a folder and returns its output. Throws SvcError `invalid` with the end of npm's own
 * words.
 */
export type RunNpm = (args: readonly string[], cwd: string) => Promise<string>;

/** One line for common failures that npm describes in several; null for others. */
function describeKnownFailure(stderr: string): string | null {
  const missing = /404\s+(?:The requested resource )?'([^']+)'/.exec(stderr)?.[1];
  if (missing !== undefined || /code E404/.test(stderr))
    return `${missing?.replace(/@\*$/, '') ?? 'The package'} is not in the npm registry (404).`;
  const version = /No matching version found for (\S+?)\.?\s/.exec(`${stderr} `)?.[1];
  return version === undefined ? null : `The npm registry has no version that is ${version}.`;
}

/** npm's output without line prefixes and the path of its log. */
const stripNpmMarks = (stderr: string): string =>
  stderr
    .split('\n')
    .map((line) => line.replace(/^npm (?:error|ERR!) ?/, '').trim())
    .filter(
      (line) => line !== '' && !/^(?:A complete log of this run|.*_logs.*debug-0\.log$)/.test(line),
    )
    .join(' ')
    .slice(-QUOTED_CHARS);

export const createNpmRunner =
  (hostEnv: HostEnv): RunNpm =>
  ([command = '', ...args], cwd) =>
    new Promise((resolve, reject) => {
      const env = Object.fromEntries(
        Object.entries(hostEnv).filter(([name]) => PASSED_ON.includes(name) || isNpmSetting(name)),
      );
      const options = { cwd, env, timeout: NPM_MS, maxBuffer: MAX_OUTPUT_BYTES };
      execFile('npm', [command, ...FLAGS, ...args], options, (error, stdout, stderr) => {
        if (!error) return resolve(stdout);
        const knownFailure = describeKnownFailure(stderr);
        const words = knownFailure ?? (stripNpmMarks(stderr) || toErrorMessage(error));
        reject(
          new SvcError('invalid', knownFailure ?? `npm ${command} failed: ${words}`, {
            cause: error,
          }),
        );
      });
    });
