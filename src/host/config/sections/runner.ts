import Type from 'typebox';
import { DEFAULT_MIN_FREE_DISK_MB } from '../../../base/limits/findLowDisk.ts';
import { SANDBOX_MODES, SANDBOX_PROFILES } from '../../../base/agents/sandboxProfiles.ts';
import { LOG_LEVELS } from '../../../base/settings/logLevels.ts';
import { section } from './fieldSchemas.ts';

export const DEFAULT_SANDBOX_HOSTS: readonly string[] = [
  'registry.npmjs.org',
  'registry.yarnpkg.com',
  'pypi.org',
  'files.pythonhosted.org',
  'index.crates.io',
  'static.crates.io',
  'proxy.golang.org',
  'sum.golang.org',
  'repo.maven.apache.org',
  'plugins.gradle.org',
  'rubygems.org',
  'index.rubygems.org',
];

/** `name`, `name:port` or `*.name`. */
const HOST = '^(\\*\\.)?[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?(:[1-9][0-9]{0,4})?$';

const Host = Type.String({
  pattern: HOST,
  maxLength: 253,
  title: 'the name of a host in double quotes, without https:// and without a path',
  examples: ['registry.npmjs.org', 'models.example.com:8443', '*.example.com'],
});

export const RunnerSection = Type.Object(
  {
    maxConcurrentJobs: Type.Integer({
      minimum: 1,
      maximum: 64,
      default: 2,
      description: 'Jobs that run at the same time.',
    }),
    sessionMinutes: Type.Integer({
      minimum: 1,
      maximum: 1440,
      default: 60,
      description: 'Maximum duration of an agent session, in minutes.',
    }),
    sessionOutputBytes: Type.Integer({
      minimum: 1024,
      maximum: 1_073_741_824,
      default: 16_777_216,
      description: 'Maximum output of one session, in bytes; each line counts 64 bytes extra.',
    }),
    stopGraceSeconds: Type.Integer({
      minimum: 0,
      maximum: 300,
      default: 5,
      description: 'Time between asking a session to stop and killing it, in seconds.',
    }),
    minFreeDiskMb: Type.Integer({
      minimum: 0,
      maximum: 1_000_000_000,
      default: DEFAULT_MIN_FREE_DISK_MB,
      description:
        'Free space that the disks of the home and of paths.workingDir must have, in MB. With less no session starts, and sessions end after their tool call; jobs wait and continue by themselves once a quarter more is free. 0: off.',
    }),
    logLevel: Type.Optional(
      Type.Enum([...LOG_LEVELS], {
        description:
          "What the runner's log has: error, warn (and errors), info (and warnings), debug (also each request and each step of a job). The flag --log-level wins. Default: info, on a terminal warn.",
      }),
    ),
    publicUrl: Type.Optional(
      Type.String({
        pattern: '^https?://[^\\s/?#@]+(/[^\\s?#]*)?$',
        maxLength: 2_048,
        title: 'an address that begins with https:// or http:// in double quotes',
        examples: ['https://svc.example.com'],
        description:
          'Address at which people reach the dashboard, such as that of a proxy with HTTPS: the runner serves it and puts it into links of notifications. Default: the address that the runner listens on.',
      }),
    ),
    sandbox: Type.Enum([...SANDBOX_MODES], {
      default: 'off',
      description:
        'Whether the operating system confines sessions: off = never, auto = if this machine supports it, required = always (otherwise no job starts).',
    }),
    sandboxProfile: Type.Enum(['any', ...SANDBOX_PROFILES], {
      default: 'any',
      description:
        'By what: the sandbox runtime (files, processes, hosts), bubblewrap (files, processes), or sandboxCommand. any: sandboxCommand where there is one, else the runtime, else bubblewrap.',
    }),
    sandboxCommand: Type.Array(Type.String({ minLength: 1, maxLength: 1_000 }), {
      default: [],
      maxItems: 100,
      description:
        'Your own command line, which svc puts in front of the programs of sessions. {job}, {cwd} and {home} stand for the folder of the job, the working directory and the folder of svc.',
    }),
    sandboxHosts: Type.Array(Host, {
      default: [...DEFAULT_SANDBOX_HOSTS],
      maxItems: 200,
      description:
        'Hosts that sessions in the sandbox runtime may ask, such as registries: name, name:port or *.name. Those of their models and tool servers are added.',
    }),
  },
  { ...section, title: 'Jobs and sessions' },
);
