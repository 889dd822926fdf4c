import { Flags } from '@oclif/core';
import { SET_UP_STEPS, type SetUpStepName } from '../../src/domain/setUpSteps.ts';

/** The flags of `svc init`, as they are given. */
export interface InitFlags {
  local: boolean;
  force: boolean;
  agent?: string | undefined;
  skip?: SetUpStepName[] | undefined;
  'git-token-from-cli': boolean;
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
    description: 'Run without a control plane: takes cloud.url and cloud.token out.',
  }),
  agent: Flags.string({
    description:
      'Executor of all phases that name none, such as builtin, claude, acp:opencode; its key comes from --api-key or the environment.',
    helpValue: '<id>',
  }),
  'api-key': Flags.string({
    description:
      'Key of the model, or - for standard input. It is for llm.defaultProvider; where none is chosen, builtin is, with the API of Anthropic.',
    helpValue: '<key>',
  }),
  'intelligence-dir': Flags.string({
    description: 'Checkout for authoring workflows and agents.',
    helpValue: '<folder>',
  }),
  'working-dir': Flags.string({ description: 'Folder of the jobs.', helpValue: '<folder>' }),
  scm: Flags.string({
    description: 'Code host: local, github, gitlab, bitbucket, or the id of a plugin.',
    helpValue: '<pluginId>',
  }),
  'git-provider': Flags.string({
    description: 'Older name of --scm.',
    helpValue: '<pluginId>',
    exclusive: ['scm'],
  }),
  'git-username': Flags.string({
    description: 'User that the token belongs to. Only Bitbucket uses it.',
    helpValue: '<name>',
  }),
  'git-token': Flags.string({
    description:
      'Token of the code host, or - for standard input. Default: GITHUB_TOKEN, GITLAB_TOKEN or BITBUCKET_TOKEN.',
    helpValue: '<token>',
  }),
  'git-token-from-cli': Flags.boolean({
    description: 'Take the token that gh or glab has on this machine.',
    exclusive: ['git-token'],
  }),
  'git-workspace': Flags.string({
    description: 'Owner, group or workspace of repositories that are named without one.',
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
    description: 'Leave this step for later. Can be given more than once.',
  })(),
  'first-job': Flags.string({
    description: 'Start a first job that does this, on the runner of this home.',
    helpValue: '<text>',
  }),
  repo: Flags.string({
    char: 'r',
    description: 'Repository of the first job. Default: the only one on this disk.',
    helpValue: '<slug>',
    dependsOn: ['first-job'],
  }),
  force: Flags.boolean({
    description: 'Change values of a configuration that exists, without asking.',
  }),
};
