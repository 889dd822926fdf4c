import { parseArgs } from 'node:util';
import { SvcError, toErrorMessage } from '../../src/base/errors/errors.ts';
import { isLoopbackAddress } from '../../src/base/http/isLoopbackAddress.ts';
import {
  parseTrustedProxies,
  type TrustedProxies,
} from '../../src/base/system/network/trustedProxies.ts';
import {
  MAX_TAKEOVER_MS,
  MIN_TAKEOVER_MS,
  TAKEOVER_MS,
} from '../../src/base/limits/takeoverWindow.ts';
import {
  KEPT_JOBS_DAYS,
  MAX_KEPT_JOBS_DAYS,
  MIN_KEPT_JOBS_DAYS,
} from '../../src/base/limits/keptJobs.ts';
import {
  MAX_REQUEST_LIMIT,
  MIN_REQUEST_LIMIT,
  REQUEST_LIMIT,
} from '../../src/base/limits/requestLimit.ts';

const SECOND_MS = 1_000;
export const DEFAULT_CLOUD_PORT = 4000;
export const DEFAULT_CLOUD_HOST = '127.0.0.1';

export interface CloudStartFlags {
  host: string;
  port: number;
  /** null = svc starts one. */
  database: string | null;
  /** Whether it came as an argument, which other users of the machine can read. */
  isDatabaseArgument: boolean;
  publicUrl: string | null;
  nodeUrl: string | null;
  /** Proxies whose X-Forwarded-For counts; null = none. */
  trustedProxies: TrustedProxies | null;
  installPostgres: boolean;
  /** Silence of a runner after which another one may continue its jobs, ms; null = the default. */
  takeoverMs: number | null;
  /** How long rows of ended jobs stay in the list, days; null = the default. */
  keptJobsDays: number | null;
  /** Requests a minute of each person; null = the default. */
  requestLimit: number | null;
  /** Whether the link of the first owner is printed. */
  showsOwnerLink: boolean;
  /** Where its log goes; null = standard error. */
  logFile: string | null;
  json: boolean;
  help: boolean;
}

export const CLOUD_START_HELP = `Start a control plane: one place for a team, its runners and its jobs. Runs until Ctrl-C.

USAGE
  $ svc cloud start [--port <port>] [--host <address>] [--database <url>] [--public-url <url>] [--node-url <url>] [--install-postgres]
    [--trust-proxy <addresses>] [--takeover-window <seconds>] [--keep-jobs <days>] [--request-limit <count>]
    [--log-file <path>] [--no-owner-link] [--json]

FLAGS
  --port <port>       Port to listen on; 0 picks a free one. Default: ${DEFAULT_CLOUD_PORT}.
  --host <address>    Address to listen on. Default: ${DEFAULT_CLOUD_HOST}. Another one needs --public-url.
  --database <url>    PostgreSQL database to use, version 15 or newer: postgres://user:password@host:5432/name.
                      Default: DATABASE_URL. Other users of this machine can read arguments, so put a URL with a
                      password into DATABASE_URL. Without either, svc starts PostgreSQL in its home, for trying out.
  --public-url <url>  Address at which people and runners reach the control plane, such as https://svc.example.com.
                      Default: http://localhost:<port>.
  --node-url <url>    Address at which the other nodes on the same database reach this one. Default: the address
                      that it listens on.
  --trust-proxy <addresses>
                      Addresses or ranges of the proxies in front, with commas between them, such as
                      127.0.0.1,10.0.0.0/8: limits and the audit log then use the client that they name in
                      X-Forwarded-For. Without it the header is ignored.
  --takeover-window <seconds>
                      How long a runner is silent before another one may continue its jobs, from ${MIN_TAKEOVER_MS / SECOND_MS} to ${MAX_TAKEOVER_MS / SECOND_MS}.
                      Default: ${TAKEOVER_MS / SECOND_MS}. The same for all nodes of a database.
  --keep-jobs <days>  How long jobs stay in the list after they have ended, from ${MIN_KEPT_JOBS_DAYS} to ${MAX_KEPT_JOBS_DAYS}. Default: ${KEPT_JOBS_DAYS}.
                      Their runners keep them. The same for all nodes of a database.
  --request-limit <count>
                      Requests a minute that a node takes of each person, from ${MIN_REQUEST_LIMIT} to ${MAX_REQUEST_LIMIT}. Default: ${REQUEST_LIMIT}.
  --install-postgres  Install PostgreSQL into the home if this machine has none, without asking.
  --log-file <path>   Write the log there instead of to standard error, in files of 10 MiB.
  --no-owner-link     Do not print the link of the first owner: for a service, whose output is kept.
                      svc cloud owner-link prints one.
  --json              Once listening, print one line of JSON: url, publicUrl, pid, node, version,
                      database, ownerLink. Errors are JSON too.

Ctrl-C (or SIGTERM) lets running requests finish, for at most 10 s. A second Ctrl-C ends it immediately.
`;

const parseOrigin = (flag: string, value: string | undefined): string | null => {
  if (value === undefined) return null;
  const url = URL.canParse(value) ? new URL(value) : null;
  const isPlain =
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    url.pathname === '/' &&
    `${url.search}${url.hash}${url.username}${url.password}` === '';
  if (!isPlain)
    throw new SvcError(
      'bad-argument',
      `${flag} is "${value}", but must be an address such as https://svc.example.com, without a path.`,
    );
  return url.origin;
};

function parseWindow(value: string | undefined): number | null {
  if (value === undefined) return null;
  const ms = /^\d{1,4}$/.test(value) ? Number(value) * SECOND_MS : 0;
  if (ms >= MIN_TAKEOVER_MS && ms <= MAX_TAKEOVER_MS) return ms;
  throw new SvcError(
    'bad-argument',
    `--takeover-window is "${value}", but must be a whole number of seconds from ${MIN_TAKEOVER_MS / SECOND_MS} to ${MAX_TAKEOVER_MS / SECOND_MS}.`,
  );
}

/** A whole number that a flag may be given; null = it was not. */
function parseCount(
  flag: string,
  value: string | undefined,
  { least, most, unit }: { least: number; most: number; unit: string },
): number | null {
  if (value === undefined) return null;
  const count = /^\d{1,9}$/.test(value) ? Number(value) : -1;
  if (count >= least && count <= most) return count;
  throw new SvcError(
    'bad-argument',
    `${flag} is "${value}", but must be a whole number of ${unit} from ${least} to ${most}.`,
  );
}

/**
 * Reads the flags of `svc cloud start`; `databaseUrl` is the variable DATABASE_URL. Throws SvcError
 * `bad-argument`.
 */
export function parseCloudStartFlags(
  argv: readonly string[],
  databaseUrl: string | undefined,
): CloudStartFlags {
  const { values } = readArguments(argv);
  const { host = DEFAULT_CLOUD_HOST, port = String(DEFAULT_CLOUD_PORT) } = values;
  if (!(/^\d{1,5}$/.test(port) && Number(port) <= 65_535))
    throw new SvcError(
      'bad-argument',
      `--port is "${port}", but must be a whole number from 0 to 65535.`,
    );
  const publicUrl = parseOrigin('--public-url', values['public-url']);
  if (publicUrl === null && !isLoopbackAddress(host))
    throw new SvcError(
      'bad-argument',
      `With --host ${host} other machines reach the control plane: say at which address with --public-url, such as --public-url https://svc.example.com. Logins are only valid for that address.`,
    );
  const proxyList = values['trust-proxy'];
  const database = values.database ?? (databaseUrl?.trim() || null);
  return {
    host,
    port: Number(port),
    database,
    isDatabaseArgument: values.database !== undefined,
    publicUrl,
    nodeUrl: parseOrigin('--node-url', values['node-url']),
    trustedProxies: proxyList === undefined ? null : parseTrustedProxies(proxyList),
    takeoverMs: parseWindow(values['takeover-window']),
    keptJobsDays: parseCount('--keep-jobs', values['keep-jobs'], {
      least: MIN_KEPT_JOBS_DAYS,
      most: MAX_KEPT_JOBS_DAYS,
      unit: 'days',
    }),
    requestLimit: parseCount('--request-limit', values['request-limit'], {
      least: MIN_REQUEST_LIMIT,
      most: MAX_REQUEST_LIMIT,
      unit: 'requests a minute',
    }),
    installPostgres: values['install-postgres'] ?? false,
    showsOwnerLink: !(values['no-owner-link'] ?? false),
    logFile: values['log-file'] ?? null,
    json: values.json ?? false,
    help: values.help ?? false,
  };
}

function readArguments(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      options: {
        port: { type: 'string' },
        host: { type: 'string' },
        database: { type: 'string' },
        'public-url': { type: 'string' },
        'node-url': { type: 'string' },
        'trust-proxy': { type: 'string' },
        'takeover-window': { type: 'string' },
        'keep-jobs': { type: 'string' },
        'request-limit': { type: 'string' },
        'install-postgres': { type: 'boolean' },
        'log-file': { type: 'string' },
        'no-owner-link': { type: 'boolean' },
        json: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (cause) {
    throw new SvcError(
      'bad-argument',
      `${toErrorMessage(cause).split('. ')[0]}. See svc cloud start --help.`,
      { cause },
    );
  }
}
