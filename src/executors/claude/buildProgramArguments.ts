import type { QueryOptions } from './sdk.ts';

const toArgument = (flag: string, value: string | number | undefined): string[] =>
  value === undefined ? [] : [`--${flag}=${value}`];

const toListArgument = (flag: string, values: readonly string[]): string[] =>
  values.length === 0 ? [] : [`--${flag}=${values.join(',')}`];

/**
 * Arguments of the program for a conversation over stdin and stdout. Prompt, tool servers and hooks
 * are not among them: every user of the machine can read arguments.
 */
export const buildProgramArguments = (options: QueryOptions): string[] => [
  '--output-format',
  'stream-json',
  '--verbose',
  '--input-format',
  'stream-json',
  '--await-initialize',
  '--include-partial-messages',
  '--strict-mcp-config',
  `--permission-mode=${options.permissionMode}`,
  ...toArgument('model', options.model),
  ...toArgument('effort', options.effort),
  ...toArgument('resume', options.resume),
  ...toArgument('max-turns', options.maxTurns),
  ...toArgument('max-budget-usd', options.maxBudgetUsd),
  // Empty lists count: without a tool of its own, without a file of settings.
  `--tools=${options.tools.join(',')}`,
  ...toListArgument('allowedTools', options.allowedTools),
  ...toListArgument('disallowedTools', options.disallowedTools),
  `--setting-sources=${options.settingSources.join(',')}`,
  ...toArgument('project-config-root', options.projectConfigRoot),
  '--settings',
  JSON.stringify(options.settings),
];
