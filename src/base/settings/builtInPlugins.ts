/** Ids of the executors that are part of svc; a provider may add what it runs after a colon. */
export const BUILT_IN_EXECUTORS: readonly string[] = ['command', 'builtin', 'acp', 'claude'];

export const BUILT_IN_PLUGINS: readonly string[] = [
  ...BUILT_IN_EXECUTORS,
  'local',
  'github',
  'gitlab',
  'bitbucket',
  'jira',
  'linear',
  'github-issues',
  'loki',
  'tempo',
];
