/**
 * Variables that svc itself reads, and their meaning. A test compares the names with the sources.
 */
export const ENVIRONMENT: readonly (readonly [name: string, meaning: string])[] = [
  ['SVC_HOME', 'Folder of configuration, state and token. Default: `~/.svc`.'],
  [
    'SVC_URL',
    'Address of the runner that the command line talks to. Default: the runner of this home.',
  ],
  ['SVC_TOKEN', 'Token for `SVC_URL` or `--url`. Default: `runner.token` of this home.'],
  ['SVC_NO_OPEN', '`1`: `svc start` and `svc open` never open a browser.'],
  ['SVC_DECISION_MODE', 'Value of `decision.mode` where the file has none.'],
  ['SVC_DECISION_API_KEY', 'Value of `decision.apiKey` where the file has none.'],
  ['LEGACY_API_KEY', 'Older name of `SVC_DECISION_API_KEY`.'],
  [
    'SVC_BUNDLE_KEY',
    'Key with which `svc run` encrypts the bundle of `--keep` and reads that of `--resume`; at least 16 characters.',
  ],
  ['SVC_DECISION_BASE_URL', 'Value of `decision.baseUrl` where the file has none.'],
  ['SVC_DECISION_MODEL', 'Value of `decision.model` where the file has none.'],
  [
    'COMPLETION_GATE_MAX_RETRIES',
    'How often a phase is run again because work items are incomplete, 1 to 1,000. Default: 5.',
  ],
  ['CI, SSH_CONNECTION, DISPLAY, WAYLAND_DISPLAY', 'Decide whether `svc start` opens a browser.'],
  [
    'SVC_COMMITS',
    'Where the state is written: `inline` (in the main thread), `thread` (on one of its own), `auto` (large groups on the thread, single events where it is faster on this disk). Default: `auto`.',
  ],
  ['SVC_FAULT_POINT, SVC_FAULT_COUNT', 'For crash tests: the runner kills itself at this point.'],
];
