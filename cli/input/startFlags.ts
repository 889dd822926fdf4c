import { parseArgs } from 'node:util';
import { messageOf, SvcError } from '../../src/lib/errors.ts';
import type { OpenFlag } from '../connect/browser.ts';

export interface StartFlags {
  config?: string;
  port?: number;
  host?: string;
  open: OpenFlag;
  /** Whether what actors do is served to Stately's inspector. */
  inspect: boolean;
  /** Whether what it says is one line of JSON. */
  json: boolean;
  help: boolean;
}

export const START_HELP = `Start the runner and its dashboard, and keep running until Ctrl-C.

USAGE
  $ svc start [--config <path>] [--port <port>] [--host <address>] [--open | --no-open] [--inspect] [--json]

FLAGS
  --config <path>   Configuration file instead of config.json in the home (SVC_HOME, default ~/.svc).
  --port <port>     Port to listen on; 0 takes any free one. Default: server.port of the configuration, 3000.
  --host <address>  Address to listen on. Default: server.host of the configuration, 127.0.0.1.
  --open            Open the dashboard in a browser, whatever the environment says.
  --no-open         Open no browser. SVC_NO_OPEN=1 does it for good. Without a flag none is opened with CI=true,
                    over SSH, and on Linux without a display.
  --inspect         Serve what jobs do, step by step, to Stately's inspector: on this machine alone, at an address that is
                    printed at the start and good for this run. What jobs know is in it.
  --json            Print one line of JSON once it listens: url, pid, home, version. An error is JSON too.

A first Ctrl-C (or SIGTERM) stops the runner in order: no job is lost. A second one ends it at once; that loses no job either.
`;

/** Reads the flags of `svc start`. Throws SvcError `bad-argument`. */
export function startFlags(argv: readonly string[]): StartFlags {
  let values: {
    config?: string;
    port?: string;
    host?: string;
    open?: boolean;
    'no-open'?: boolean;
    inspect?: boolean;
    json?: boolean;
    help?: boolean;
  };
  try {
    ({ values } = parseArgs({
      args: [...argv],
      options: {
        config: { type: 'string' },
        port: { type: 'string' },
        host: { type: 'string' },
        open: { type: 'boolean' },
        'no-open': { type: 'boolean' },
        inspect: { type: 'boolean' },
        json: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    }));
  } catch (cause) {
    throw new SvcError(
      'bad-argument',
      `${messageOf(cause).split('. ')[0]}. See svc start --help.`,
      { cause },
    );
  }
  const { config, host, port } = values;
  if (values.open && values['no-open'])
    throw new SvcError('bad-argument', '--open and --no-open exclude each other. Give one.');
  if (port !== undefined && !(/^\d{1,5}$/.test(port) && Number(port) <= 65_535)) {
    throw new SvcError(
      'bad-argument',
      `--port is "${port}", but must be a whole number from 0 to 65535.`,
    );
  }
  return {
    ...(config === undefined ? {} : { config }),
    ...(port === undefined ? {} : { port: Number(port) }),
    ...(host === undefined ? {} : { host }),
    open: values.open ? true : values['no-open'] ? false : undefined,
    inspect: values.inspect ?? false,
    json: values.json ?? false,
    help: values.help ?? false,
  };
}
