import { Flags } from '@oclif/core';
import { SET_UP_STEPS, type SetUpStepName } from '../../src/base/settings/setUpSteps.ts';

export interface InitFlags {
  local: boolean;
  force: boolean;
  yes: boolean;
  model?: string | undefined;
  'base-url'?: string | undefined;
  'repo-dir'?: string | undefined;
  agent?: string | undefined;
  skip?: SetUpStepName[] | undefined;
  'git-token-from-cli': boolean;
  'login-from-cli': boolean;
  'first-job'?: string | undefined;
  repo?: string | undefined;
  'api-key'?: string | undefined;
  'intelligence-dir'?: string | undefined;
  'working-dir'?: string | undefined;
  scm?: string | undefined;
  'git-provider'?: string | undefined;
  'git-username'?: string | undefined;
  'git-token'?: string | undefined;
  'git-workspace'?: string | undefined;
  'intelligence-remote'?: string | undefined;
}

export const initFlags = {
  local: Flags.boolean({
    description: 'Run without a control plane: removes cloud.url and cloud.token.',
  }),
  agent: Flags.string({
    description:
      'Executor of all phases that name none, such as builtin, claude or acp:opencode; its key is read from --api-key or the environment.',
    helpValue: '<id>',
  }),
  model: Flags.string({
    description:
      'Model of phases that name none. Default with builtin: the one that the endpoint lists.',
    helpValue: '<id>',
  }),
  'base-url': Flags.string({
    description:
      'Address of the model endpoint, such as http://127.0.0.1:11434/v1; without --agent it is for builtin. A key is needed only where the endpoint wants one.',
    helpValue: '<url>',
  }),
  'repo-dir': Flags.string({
    description:
      'Folder of a git repository on this disk for jobs to work on. Default without a terminal: the repository you are in.',
    helpValue: '<folder>',
  }),
  'api-key': Flags.string({
    description:
      'API key of the model, or - for standard input. Used for llm.defaultProvider; if none is set, for builtin with the Anthropic API.',
    helpValue: '<key>',
  }),
  'intelligence-dir': Flags.string({
    description: 'Folder of your workflows and agents.',
    helpValue: '<folder>',
  }),
  'working-dir': Flags.string({ description: 'Folder for job files.', helpValue: '<folder>' }),
  scm: Flags.string({
    description: 'Forge: local, github, gitlab, bitbucket, or the id of a plugin.',
    helpValue: '<pluginId>',
  }),
  'git-provider': Flags.string({
    description: 'Deprecated name of --scm.',
    helpValue: '<pluginId>',
    exclusive: ['scm'],
  }),
  'git-username': Flags.string({
    description: 'User that the token belongs to. Only Bitbucket uses it.',
    helpValue: '<name>',
  }),
  'git-token': Flags.string({
    description:
      'Token of the forge, or - for standard input. Default: GITHUB_TOKEN, GITLAB_TOKEN or BITBUCKET_TOKEN.',
    helpValue: '<token>',
  }),
  'login-from-cli': Flags.boolean({
    description:
      'Let sessions use your login of the program of --agent (claude, acp:codex): they share the limits of its plan with you, and cannot run in a sandbox.',
    dependsOn: ['agent'],
    exclusive: ['api-key', 'base-url'],
  }),
  'git-token-from-cli': Flags.boolean({
    description: 'Use the token of gh or glab on this machine.',
    exclusive: ['git-token'],
  }),
  'git-workspace': Flags.string({
    description: 'Default owner, group or workspace of repositories.',
    helpValue: '<name>',
  }),
  'intelligence-remote': Flags.string({
    description: "Address of the git repository with your team's workflows.",
    helpValue: '<url>',
  }),
  skip: Flags.option({
    options: SET_UP_STEPS,
    multiple: true,
    multipleNonGreedy: true,
    description: 'Skip this step for now. Can be given more than once.',
  })(),
  'first-job': Flags.string({
    description: 'Start a first job with this description, on the runner of this home.',
    helpValue: '<text>',
  }),
  repo: Flags.string({
    char: 'r',
    description: 'Repository of the first job. Default: the only one on this disk.',
    helpValue: '<slug>',
    dependsOn: ['first-job'],
  }),
  yes: Flags.boolean({
    description: 'Ask nothing: take what would be proposed, and change values that are set.',
  }),
  force: Flags.boolean({
    description: 'Change values of an existing configuration without asking.',
  }),
};
