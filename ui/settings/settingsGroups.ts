interface SettingsGroup {
  title: string;
  /** What each section is called, by its key in the configuration; in their order. */
  sections: Readonly<Record<string, string>>;
}

/** The sections of the configuration as people look for them; what is changed most comes first. */
export const SETTINGS_GROUPS: readonly SettingsGroup[] = [
  {
    title: 'Work',
    sections: {
      runner: 'Jobs and sessions',
      budgets: 'Budgets and prices',
      noProgress: 'Jobs without progress',
      retention: 'Cleanup',
    },
  },
  {
    title: 'Models and agents',
    sections: {
      llm: 'Models',
      intelligence: 'Workflows and agents',
      intake: 'Plan mode',
      mcpServers: 'Tool servers',
      inheritClaudeCodeMcps: 'Tool servers of Claude Code',
    },
  },
  {
    title: 'Connections',
    sections: {
      forges: 'Forges',
      plugins: 'Plugins',
      triggers: 'Triggers',
      server: 'HTTP server',
      cloud: 'Control plane',
    },
  },
  {
    title: 'Rules',
    sections: {
      guardrails: 'Guardrails',
      invariants: 'Invariants',
      decision: 'Decision layer',
      proposals: 'Proposals',
      coachMode: 'Coach mode',
    },
  },
  {
    title: 'Team and home',
    sections: {
      tenant: 'Team',
      settings: 'Team defaults',
      paths: 'Folders',
      setup: 'Setup wizard',
    },
  },
];

export const OTHER_SETTINGS = 'Other';
