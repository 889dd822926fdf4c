import { join } from 'node:path';
import { type Env, readEnvironment } from '../../src/host/config/home/env.ts';
import { isLoopbackAddress } from '../../src/base/http/isLoopbackAddress.ts';
import { resolveHomeFolder } from '../../src/host/config/home/paths.ts';
import { findOtherHome, readRunnerInfo } from '../../src/host/config/home/runnerInfo.ts';
import { readToken } from '../../src/host/config/home/runnerToken.ts';
import { SvcError } from '../../src/base/errors/errors.ts';

export interface Connection {
  /** Without a slash at its end. */
  baseUrl: string;
  token: string | null;
}

/** Only scheme, host and path; throws SvcError `bad-argument`. */
function parseRunnerUrl(text: string, from: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (
    url !== null &&
    (url.protocol === 'http:' || url.protocol === 'https:') &&
    url.username === ''
  )
    return url;
  throw new SvcError(
    'bad-argument',
    `${from} is "${text}", but must be a URL such as http://127.0.0.1:3000.`,
  );
}

/**
 * Finds the runner: `--url`, SVC_URL, else what the runner of this home wrote down. The token is
 * SVC_TOKEN, else this home's, which goes to an address of this machine only: another machine could
 * keep it.
 */
export async function resolveConnection(source: {
  env: Env;
  homeDir: string;
  url: string | undefined;
}): Promise<Connection> {
  const environment = readEnvironment(source.env);
  const home = resolveHomeFolder(environment.home, source.homeDir);
  const namedUrl = source.url ?? environment.url;
  const info = namedUrl === null ? await readRunnerInfo(home) : null;
  const other = info === null ? null : await findOtherHome(info, home);
  if (other !== null) {
    throw new SvcError(
      'unreachable',
      `${home} is a copy of the home ${other}: its runner.json names the runner of that one. No runner is running for ${home}. Start one with: svc start. Or name one with --url or SVC_URL.`,
    );
  }
  const text = namedUrl ?? info?.url;
  if (text === undefined) {
    throw new SvcError(
      'unreachable',
      `No runner is running for the home ${home}. Start one with: svc start. Or name one with --url or SVC_URL.`,
    );
  }
  const url = parseRunnerUrl(
    text,
    source.url !== undefined
      ? '--url'
      : namedUrl !== null
        ? 'SVC_URL'
        : `The address in ${join(home, 'runner.json')}`,
  );
  const token =
    environment.token ??
    (isLoopbackAddress(url.hostname) ? await readToken(join(home, 'runner.token')) : null);
  return { baseUrl: `${url.origin}${url.pathname.replace(/\/+$/, '')}`, token };
}
