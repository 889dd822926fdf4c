import Type from 'typebox';

const closed = { additionalProperties: false } as const;
/** A section may be left out: its defaults then apply. */
const section = { ...closed, default: {} } as const;

const word = { minLength: 1, maxLength: 255 } as const;
const folder = { minLength: 1, maxLength: 4096 } as const;

/** Form of a name that the file's author makes up. A repository's slug becomes a folder's name inside a job's folder. */
const ChosenName = Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$' });

const ModelAliasConfig = Type.Object(
  {
    provider: Type.Optional(Type.String({ ...word, description: 'Executor plugin id. Default: llm.defaultProvider.' })),
    model: Type.String({ ...word, description: 'Model id as the provider names it.' }),
    reasoningEffort: Type.Optional(Type.String({ ...word, description: 'Passed on to the provider.' })),
  },
  closed,
);

const LocalRepoConfig = Type.Union(
  [
    Type.String({ ...folder }),
    Type.Object(
      {
        path: Type.String({ ...folder, description: 'Folder of the git repository.' }),
        defaultBranch: Type.Optional(Type.String({ ...word, description: 'Default: the branch of its HEAD.' })),
      },
      closed,
    ),
  ],
  { description: 'the folder of a git repository as text, or { "path", "defaultBranch" }' },
);

/**
 * The config file (`<home>/config.json`), the one source of what it may hold, what each key means and what holds without it.
 * Paths may begin with `~`; relative ones count from the folder of the file.
 */
export const Config = Type.Object(
  {
    paths: Type.Object(
      { workingDir: Type.Optional(Type.String({ ...folder, description: 'Folder of the jobs. Default: work in the home.' })) },
      section,
    ),
    intelligence: Type.Object(
      {
        dir: Type.Optional(
          Type.String({ ...folder, description: 'Checkout for authoring intelligence. Default: intelligence in the home.' }),
        ),
        gitRemote: Type.Optional(Type.String({ ...word, description: 'Git remote of the tenant overlay. Not used yet.' })),
      },
      section,
    ),
    tenant: Type.Object(
      {
        displayName: Type.Optional(Type.String({ ...word, description: 'Name to show. Default: the host name.' })),
        overlay: Type.Object(
          {
            kind: Type.Enum(['none', 'localDir', 'gitRemote', 'cloudBlob'], {
              default: 'none',
              description: 'Where the tenant layer comes from.',
            }),
            path: Type.Optional(Type.String({ ...folder, description: 'Folder of a localDir overlay.' })),
          },
          section,
        ),
      },
      section,
    ),
    llm: Type.Object(
      {
        defaultProvider: Type.String({ ...word, default: 'command', description: 'Executor for phases that name none.' }),
        aliases: Type.Record(ChosenName, ModelAliasConfig, {
          default: {},
          description: 'Model names for phases. planning and coding always exist.',
        }),
      },
      section,
    ),
    runner: Type.Object(
      {
        maxConcurrentJobs: Type.Integer({ minimum: 1, maximum: 64, default: 2, description: 'Jobs that work at once.' }),
        sessionMinutes: Type.Integer({ minimum: 1, maximum: 1440, default: 60, description: 'Longest agent session, minutes.' }),
        sessionOutputBytes: Type.Integer({
          minimum: 1024,
          maximum: 1_073_741_824,
          default: 16_777_216,
          description: 'Most output of one session, bytes; a line counts 64 more than it has.',
        }),
        stopGraceSeconds: Type.Integer({
          minimum: 0,
          maximum: 300,
          default: 5,
          description: 'Wait between the polite and the forced end of a session, seconds.',
        }),
      },
      section,
    ),
    server: Type.Object(
      {
        host: Type.String({ ...word, default: '127.0.0.1', description: 'Address to listen on.' }),
        port: Type.Integer({ minimum: 0, maximum: 65_535, default: 3000, description: 'Port to listen on; 0 = any free one.' }),
        auth: Type.Enum(['auto', 'required', 'off'], {
          default: 'auto',
          description: 'When a token is demanded. auto: off loopback.',
        }),
      },
      section,
    ),
    forges: Type.Object(
      {
        local: Type.Object(
          {
            repos: Type.Record(ChosenName, LocalRepoConfig, {
              default: {},
              description: 'Git repositories on this disk, by slug.',
            }),
          },
          section,
        ),
      },
      section,
    ),
    coachMode: Type.Object(
      {
        enabled: Type.Boolean({
          default: true,
          description: 'New jobs are interactive unless params.interactive says otherwise.',
        }),
      },
      section,
    ),
  },
  closed,
);
export type Config = Type.Static<typeof Config>;

/** Sections that other versions of svc read and this one does not. */
export const SECTIONS_OF_LATER_VERSIONS: readonly string[] = [
  'plugins',
  'git',
  'tracker',
  'guardrails',
  'mcpServers',
  'inheritClaudeCodeMcps',
  'proposals',
  'cloud',
  'setup',
  'intake',
  'decision',
];
