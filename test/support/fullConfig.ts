/** Every secret of {@link FULL_CONFIG}, each one of its own. */
export const SECRETS: readonly string[] = [
  'canary-plugin-token',
  'canary-plugin-nested',
  'canary-git-token',
  'canary-tracker-token',
  'canary-tracker-key',
  'canary-mcp-env',
  'canary-mcp-header',
  'canary-mcp-url',
  'canary-mcp-flag',
  'canary-mcp-joined',
  'canary-cloud-token',
  'canary-cloud-query',
  'canary-decision-key',
  'canary-decision-password',
  'canary-remote-password',
  'canary-rule',
];

/** Every section of the configuration with every key, no value being its default. */
export const FULL_CONFIG: Readonly<Record<string, unknown>> = {
  paths: { workingDir: 'jobs' },
  intelligence: {
    dir: 'authoring',
    gitRemote: 'https://ana:canary-remote-password@git.example.org/team.git',
  },
  tenant: { displayName: 'Ana', overlay: { kind: 'localDir', path: 'overlay' } },
  settings: { coordination: { maxParallelSubRuns: 3 } },
  plugins: {
    installed: {
      acme: {
        enabled: false,
        config: {
          user: 'ana',
          token: 'canary-plugin-token',
          retries: 3,
          verbose: true,
          deep: { list: ['canary-plugin-nested'] },
        },
        allowHosts: ['localhost'],
      },
    },
  },
  llm: {
    defaultProvider: 'acme',
    aliases: { coding: { provider: 'acme', model: 'large', reasoningEffort: 'high' } },
  },
  git: { provider: 'none', workspace: 'acme', username: 'ana', token: 'canary-git-token' },
  tracker: {
    provider: 'none',
    jira: { baseUrl: 'https://jira.example.org', username: 'ana', token: 'canary-tracker-token' },
    linear: { apiKey: 'canary-tracker-key', teamKey: 'SHOP' },
  },
  runner: {
    maxConcurrentJobs: 4,
    sessionMinutes: 90,
    sessionOutputBytes: 2048,
    stopGraceSeconds: 1,
  },
  server: { host: '127.0.0.1', port: 0, auth: 'required' },
  forges: {
    local: {
      repos: { shop: 'repos/shop', 'docs.v2': { path: '/srv/docs', defaultBranch: 'trunk' } },
    },
  },
  guardrails: {
    enabled: false,
    rules: [{ id: 'no-force-push', enabled: false, later: 'canary-rule' }],
  },
  mcpServers: {
    docs: {
      type: 'stdio',
      enabled: false,
      command: 'docs',
      allowedTools: ['read'],
      disallowedTools: ['write'],
      args: ['--quiet', '--api-key', 'canary-mcp-flag', '--token=canary-mcp-joined'],
      env: { DOCS_TOKEN: 'canary-mcp-env' },
    },
    web: {
      type: 'http',
      enabled: true,
      url: 'https://mcp.example.org/x?key=canary-mcp-url',
      later: { kept: 1 },
      headers: { Authorization: 'Bearer canary-mcp-header' },
    },
  },
  inheritClaudeCodeMcps: true,
  proposals: { routing: { strategy: 'agent' } },
  cloud: { url: 'https://cloud.example.org/?k=canary-cloud-query', token: 'canary-cloud-token' },
  setup: { completedAt: '2026-01-01T00:00:00.000Z', skipped: ['llm', 'tracker'] },
  coachMode: {
    enabled: false,
    graduateAfterRuns: 9,
    totalRuns: 3,
    lastRunAt: '2026-01-01T00:00:00.000Z',
    graduatedAt: '2026-01-02T00:00:00.000Z',
  },
  triggers: [
    {
      id: 'bugs',
      enabled: false,
      plugin: 'github',
      events: ['issue.labeled'],
      repos: ['acme/shop'],
      labels: ['svc'],
      text: 'bug',
      authors: ['ana'],
      workflow: 'workflows/job.md',
      type: 'bug',
      params: { description: '{{title}}' },
      perHour: 2,
      repeat: 'always',
    },
  ],
  intake: { toolsEnabled: false },
  decision: {
    mode: 'shadow',
    provider: 'other',
    apiKey: 'canary-decision-key',
    model: 'other-1',
    timeoutMs: 9,
    baseUrl: 'https://user:canary-decision-password@decider.example.org',
    overseer: {
      scope: 'campaigns',
      onFlag: 'flag-only',
      thresholds: { offTrackNoul: 0.5, severityScore: 2, minChoiceConfidence: 0.25 },
    },
    sites: {
      overseer: 'off',
      'wake-gate': 'live',
      lane: 'shadow',
      'input-screen': 'off',
      'review-lens': 'live',
    },
  },
};
