import { join } from 'node:path';
import { findAddressPasswords } from '../../src/base/secrets/findAddressSecrets.ts';
import { sha256 } from '../../src/base/system/ids/ids.ts';
import type { Env } from '../../src/host/config/home/env.ts';

export interface ServicePlan {
  /** Name among services: `svc`, and for another home than the default one `svc-<hash of it>`. */
  name: string;
  version: string;
  command: readonly string[];
  home: string;
  userHome: string;
  /** Whose service it is of all of the machine; null = this user's own. */
  systemUser: string | null;
  environment: Readonly<Record<string, string>>;
  /** Further variables, such as keys of models, one `NAME=value` a line; may be missing. */
  environmentFile: string;
  /** Name of the log's files, without their number. */
  logFile: string;
}

/** First line of every file that svc writes for a service manager. */
export const MARK = 'Written by svc service install';

/** Taken from the shell that installs: agents and git are found as there, and the network too. */
const PASSED_ON = [
  'PATH',
  'LANG',
  'HTTPS_PROXY',
  'HTTP_PROXY',
  'NO_PROXY',
  'https_proxy',
  'http_proxy',
  'no_proxy',
  'NODE_EXTRA_CA_CERTS',
  'SSL_CERT_FILE',
];

/** Characters of a home's name. */
const HASH_LENGTH = 8;

export const resolveServiceLog = (home: string): string => join(home, 'logs', 'runner.log');

/** `left`: variables that are not written into the file because they hold a password. */
export function buildServicePlan(from: {
  node: string;
  script: string;
  version: string;
  home: string;
  userHome: string;
  systemUser: string | null;
  env: Env;
}): { plan: ServicePlan; left: string[] } {
  const { node, script, version, home, userHome, systemUser, env } = from;
  const given = PASSED_ON.flatMap((name) => {
    const value = env[name];
    return value === undefined || value === '' ? [] : [[name, value] as const];
  });
  const hasSecret = ([, value]: readonly [string, string]): boolean =>
    findAddressPasswords(value).length > 0;
  const isDefault = home === join(userHome, '.svc');
  const logFile = resolveServiceLog(home);
  return {
    plan: {
      name: isDefault ? 'svc' : `svc-${sha256(home).slice(0, HASH_LENGTH)}`,
      version,
      command: [node, script, 'start', '--no-open', '--log-file', logFile],
      home,
      userHome,
      systemUser,
      environment: {
        SVC_HOME: home,
        ...Object.fromEntries(given.filter((entry) => !hasSecret(entry))),
      },
      environmentFile: join(home, 'service.env'),
      logFile,
    },
    left: given.filter(hasSecret).map(([name]) => name),
  };
}
