import { SvcError } from '../../../base/errors/errors.ts';
import { type Preset, readAcpSetting, describeAgentWork } from './preset.ts';

/**
 * Splits a command line into words; quotes keep blanks together, no other shell syntax is known.
 */
const splitCommandWords = (line: string): string[] =>
  [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, plain]) => double ?? single ?? plain ?? '',
  );

export const custom: Preset = {
  id: 'custom',
  settings: { key: 'key', model: null },
  pathSetting: 'command',
  install: 'Check `command:` of the agent markdown, or plugins.installed.acp.config.command.',
  program: (config) => splitCommandWords(readAcpSetting(config, 'command') ?? '')[0] ?? null,
  describeMissing: () => null,
  toolPrefix: null,
  loadsMemory: false,
  loadsSkills: false,
  loadsCheckoutMemory: true,
  servesHttp: false,
  cannotChat: 'svc knows no way to take its own tools from a program that it does not know',
  reportsUsage: 'never',

  launch({ request, config, chat }) {
    const [program, ...args] =
      request.command ?? splitCommandWords(readAcpSetting(config, 'command') ?? '');
    if (program === undefined) {
      throw new SvcError(
        'bad-argument',
        `${describeAgentWork({ request, chat })} runs on acp:custom, but no program is set. Set command in plugins.installed.acp.config, or \`command:\` in the front matter of the agent markdown.`,
      );
    }
    const variable = readAcpSetting(config, 'keyVariable');
    const key = readAcpSetting(config, 'key');
    return {
      program,
      args,
      env: variable !== null && key !== null ? { [variable]: key } : {},
      files: {},
      secrets: key === null ? [] : [key],
      authMethod: readAcpSetting(config, 'authMethod'),
      meta: null,
      mode: readAcpSetting(config, 'mode'),
      takesSystemPrompt: false,
      leavings: [],
      events: null,
      narrows: false,
      readsServers: false,
      notes:
        request.builtInTools === null
          ? []
          : ['The tool list of this phase is enforced only where the agent asks for permission.'],
    };
  },
};
