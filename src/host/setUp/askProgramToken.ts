import { execFile } from 'node:child_process';
import { SvcError } from '../../base/errors/errors.ts';

/** Longest wait for a program that is asked for its token, ms. */
const ASK_MS = 5_000;

/** What a program needs to find its own login, and nothing else of the environment. */
const PASSED = [
  'PATH',
  'HOME',
  'XDG_CONFIG_HOME',
  'GH_CONFIG_DIR',
  'GH_TOKEN',
  'GLAB_CONFIG_DIR',
  'DBUS_SESSION_BUS_ADDRESS',
];

const ARGUMENTS: Readonly<Record<string, (host: string) => string[]>> = {
  gh: (host) => ['auth', 'token', '--hostname', host],
  glab: (host) => ['config', 'get', 'token', '--host', host],
};

/**
 * The token that `gh` or `glab` has for a server, which only a person's consent allows to ask for.
 * Throws SvcError `bad-argument` where the program has none.
 */
export async function askProgramToken(
  { name, path }: { name: string; path: string },
  host: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<string> {
  const passed = Object.fromEntries(PASSED.flatMap((key) => (env[key] ? [[key, env[key]]] : [])));
  const said = await new Promise<string>((resolve) => {
    const args = ARGUMENTS[name]?.(host) ?? [];
    // Its error output may hold anything, so it is not repeated.
    execFile(path, args, { env: passed, timeout: ASK_MS }, (error, stdout) =>
      resolve(error ? '' : stdout.trim()),
    );
  });
  if (/^\S+$/.test(said)) return said;
  throw new SvcError(
    'bad-argument',
    `${name} has no token for ${host}. Log in with: ${name} auth login --hostname ${host}; or give a token.`,
  );
}
