import { join } from 'node:path';
import { DATABASE_VARIABLE, SECRET_CLOUD_VARIABLES } from './cloudVariables.ts';
import { findAddressPasswords } from '../../src/base/secrets/findAddressSecrets.ts';
import { sha256 } from '../../src/base/system/ids/ids.ts';
import type { Env } from '../../src/host/config/home/env.ts';

/** What a service keeps running. */
export type ServedProgram = 'runner' | 'cloud';

export interface ServicePlan {
  serves: ServedProgram;
  /**
   * Name among services: `svc`, that of a control plane `svc-cloud`; for another home than the default one
   * with a hash of it at the end.
   */
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
const PASSED_ON: readonly string[] = [
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

/**
 * Where a control plane that is a service of the machine has its variables: systemd reads them as root, and in the
 * home of another user root would write where that user says.
 */
export const SYSTEM_VARIABLES = '/etc/svc';

/** Characters of a home's name. */
const HASH_LENGTH = 8;

/** Of each program: the beginning of its name, its own variables, and its files in the home. */
const PROGRAMS: Readonly<
  Record<
    ServedProgram,
    { name: string; variables: readonly string[]; log: string; environmentFile: string }
  >
> = {
  runner: { name: 'svc', variables: [], log: 'runner.log', environmentFile: 'service.env' },
  cloud: {
    name: 'svc-cloud',
    variables: [DATABASE_VARIABLE, ...SECRET_CLOUD_VARIABLES],
    log: 'cloud.log',
    environmentFile: 'cloud.env',
  },
};

export const resolveServiceLog = (home: string, serves: ServedProgram = 'runner'): string =>
  join(home, 'logs', PROGRAMS[serves].log);

/**
 * `more`: flags of the control plane; null = it is the runner's service. `left`: variables that are not written
 * into the file because they hold a secret.
 */
export function buildServicePlan(from: {
  more?: readonly string[] | null;
  node: string;
  script: string;
  version: string;
  home: string;
  userHome: string;
  systemUser: string | null;
  env: Env;
}): { plan: ServicePlan; left: string[] } {
  const { node, script, version, home, userHome, systemUser, env, more = null } = from;
  const serves = more === null ? 'runner' : 'cloud';
  const { name: base, variables, environmentFile } = PROGRAMS[serves];
  const passedVariables = [...PASSED_ON, ...variables].flatMap((name) => {
    const value = env[name];
    return value === undefined || value === '' ? [] : [[name, value] as const];
  });
  const hasSecret = ([name, value]: readonly [string, string]): boolean =>
    SECRET_CLOUD_VARIABLES.some((one) => one === name) || findAddressPasswords(value).length > 0;
  const isDefault = home === join(userHome, '.svc');
  const logFile = resolveServiceLog(home, serves);
  // The link of the first owner is a secret: svc prints it on request only, and never kept in a log.
  const start =
    more === null ? ['start', '--no-open'] : ['cloud', 'start', '--no-owner-link', ...more];
  const name = isDefault ? base : `${base}-${sha256(home).slice(0, HASH_LENGTH)}`;
  return {
    plan: {
      serves,
      name,
      version,
      command: [node, script, ...start, '--log-file', logFile],
      home,
      userHome,
      systemUser,
      environment: {
        SVC_HOME: home,
        ...Object.fromEntries(passedVariables.filter((entry) => !hasSecret(entry))),
      },
      environmentFile:
        serves === 'cloud' && systemUser !== null
          ? join(SYSTEM_VARIABLES, `${name}.env`)
          : join(home, environmentFile),
      logFile,
    },
    left: passedVariables.filter(hasSecret).map(([name]) => name),
  };
}
