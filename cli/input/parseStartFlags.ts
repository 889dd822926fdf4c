import { parseArgs } from 'node:util';
import { toErrorMessage, SvcError } from '../../src/base/errors/errors.ts';
import { isLogLevel, LOG_LEVELS, type LogLevel } from '../../src/base/settings/logLevels.ts';
import type { OpenFlag } from '../remote/browser.ts';

export interface StartFlags {
  config?: string;
  port?: number;
  host?: string;
  /** Where the runner's log goes instead of standard error. */
  logFile?: string;
  /** Wins over the setting runner.logLevel. */
  logLevel?: LogLevel;
  open: OpenFlag;
  inspect: boolean;
  /** Whether it starts with state.db alone where files beside it are lost. */
  acceptLoss: boolean;
  json: boolean;
  help: boolean;
  /** Whether the runner that it takes over from has started it; not for people. */
  isUpgrade: boolean;
  /** The home of a lost runner that this process continues, for the runner that starts it; not for people. */
  adopted?: string;
  /** The flags that a program that takes over is started with, as they were given. */
  passedOn: readonly string[];
}

export const START_HELP = `Start the runner and its dashboard, and keep running until Ctrl-C.

USAGE
  $ svc start [--config <path>] [--port <port>] [--host <address>] [--open | --no-open] [--log-file <path>] [--log-level <level>] [--inspect] [--accept-loss] [--json]

FLAGS
  --config <path>   Configuration file. Default: config.json in the home (SVC_HOME, default ~/.svc).
  --port <port>     Port to listen on; 0 picks a free one. Default: server.port of the configuration, 3000.
  --host <address>  Address to listen on. Default: server.host of the configuration, 127.0.0.1.
  --open            Open the dashboard in a browser, regardless of the environment.
  --no-open         Open no browser; SVC_NO_OPEN=1 makes this the default. Without either flag, no browser is
                    opened with CI=true, over SSH, or on Linux without a display.
  --log-file <path> Write the runner's log to files instead of standard error: for logs/runner.log, to
                    logs/runner.1.log and so on, a new one after 10 MiB; the last five are kept beside it.
  --log-level <level> What the log has: error, warn, info or debug; each includes those before it. Default:
                    runner.logLevel of the configuration, else info, on a terminal warn.
  --inspect         Stream each step of the jobs to Stately's inspector, on this machine only. The address is
                    printed at the start and is valid for this run. The stream contains the jobs' data.
  --accept-loss     Where state.db and its log do not belong together, or one is missing: start with state.db as
                    it is, and lose what is not in it. The present files are kept beside it, renamed.
  --json            Once listening, print one line of JSON: url, pid, home, version. Errors are JSON too.

Ctrl-C (or SIGTERM) shuts the runner down cleanly: no job is lost. A second Ctrl-C ends it immediately,
which loses no job either.
`;

const ONCE = ['--open', '--no-open', '--json', '--successor', '--accept-loss'];

/** Reads the flags of `svc start`. Throws SvcError `bad-argument`. */
export function parseStartFlags(argv: readonly string[]): StartFlags {
  let values: {
    config?: string;
    port?: string;
    host?: string;
    'log-file'?: string;
    'log-level'?: string;
    open?: boolean;
    'no-open'?: boolean;
    inspect?: boolean;
    'accept-loss'?: boolean;
    json?: boolean;
    help?: boolean;
    successor?: boolean;
    adopted?: string;
  };
  try {
    ({ values } = parseArgs({
      args: [...argv],
      options: {
        config: { type: 'string' },
        port: { type: 'string' },
        host: { type: 'string' },
        'log-file': { type: 'string' },
        'log-level': { type: 'string' },
        open: { type: 'boolean' },
        'no-open': { type: 'boolean' },
        inspect: { type: 'boolean' },
        'accept-loss': { type: 'boolean' },
        json: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
        successor: { type: 'boolean' },
        adopted: { type: 'string' },
      },
    }));
  } catch (cause) {
    throw new SvcError(
      'bad-argument',
      `${toErrorMessage(cause).split('. ')[0]}. See svc start --help.`,
      { cause },
    );
  }
  const { config, host, port, 'log-level': logLevel } = values;
  if (values.open && values['no-open'])
    throw new SvcError('bad-argument', '--open and --no-open cannot be combined. Give one.');
  if (port !== undefined && !(/^\d{1,5}$/.test(port) && Number(port) <= 65_535)) {
    throw new SvcError(
      'bad-argument',
      `--port is "${port}", but must be a whole number from 0 to 65535.`,
    );
  }
  if (logLevel !== undefined && !isLogLevel(logLevel))
    throw new SvcError(
      'bad-argument',
      `--log-level is "${logLevel}", but must be one of ${LOG_LEVELS.join(', ')}.`,
    );
  return {
    ...(config === undefined ? {} : { config }),
    ...(port === undefined ? {} : { port: Number(port) }),
    ...(host === undefined ? {} : { host }),
    ...(values['log-file'] === undefined ? {} : { logFile: values['log-file'] }),
    ...(logLevel === undefined ? {} : { logLevel }),
    open: values.open ? true : values['no-open'] ? false : undefined,
    inspect: values.inspect ?? false,
    acceptLoss: values['accept-loss'] ?? false,
    json: values.json ?? false,
    help: values.help ?? false,
    isUpgrade: values.successor ?? false,
    ...(values.adopted === undefined ? {} : { adopted: values.adopted }),
    passedOn: argv.filter((one) => !ONCE.includes(one)),
  };
}
