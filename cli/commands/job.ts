import { Flags } from '@oclif/core';
import { SvcCommand } from '../base/base.ts';
import { type Created, createAndFollow, followingOf } from '../connect/createAndFollow.ts';
import { followFlags } from '../input/flags.ts';
import { jobParams } from '../input/jobParams.ts';
import { textArgument } from '../input/textArgument.ts';

export default class JobCommand extends SvcCommand {
  static override summary = 'Start a job and follow its log.';
  static override description =
    'Exit codes tell how it went when the job ended while it was followed; see svc help exit-codes.';
  static override examples = [
    '<%= config.bin %> job --repo shop --reviewers ana,ben --description "Add a health check"',
    '<%= config.bin %> job --repo shop --reviewers ana --description - --wait --timeout 30m --json < task.md',
  ];
  static override flags = {
    repo: Flags.string({ description: 'Slug of the repository.', helpValue: '<slug>' }),
    reviewers: Flags.string({ description: 'Names, separated by commas.', helpValue: '<names>' }),
    description: Flags.string({
      description: 'What is to be done; - reads it from standard input.',
      helpValue: '<text>',
    }),
    'service-name': Flags.string({
      description: 'Begin of the job id. Default: the repository.',
      helpValue: '<slug>',
    }),
    'git-provider': Flags.string({ description: 'Forge of the repository.', helpValue: '<id>' }),
    'jira-ticket': Flags.string({
      description: 'Ticket; alone it stands for repository, reviewers and description.',
      helpValue: '<key>',
    }),
    workflow: Flags.string({
      description: 'Workflow, as a path in the overlay.',
      default: 'workflows/job.md',
      helpValue: '<path>',
    }),
    interactive: Flags.boolean({
      description:
        'Whether somebody follows the job: a campaign that fails asks them. Default: coachMode.enabled. Checkpoints wait either way; see --approve.',
      allowNo: true,
    }),
    approve: Flags.string({
      description:
        'Approve the checkpoint of this phase in advance, or of all phases with "all". May be repeated.',
      multiple: true,
      multipleNonGreedy: true,
      helpValue: '<phase>',
    }),
    param: Flags.string({
      description: 'Further param, name=value; JSON values are taken as such. May be repeated.',
      multiple: true,
      multipleNonGreedy: true,
      helpValue: '<k=v>',
    }),
    ...followFlags,
  };

  async run(): Promise<Created> {
    const { flags } = await this.parse(JobCommand);
    const following = followingOf(flags);
    const description =
      flags.description === undefined
        ? undefined
        : await textArgument(flags.description, '--description', this.io);
    const params = jobParams({ ...flags, description });
    const client = await this.client(flags);
    const body = { type: 'job', workflowPath: flags.workflow, params };
    return createAndFollow({ client, body, following, io: this.io, asJson: this.jsonEnabled() });
  }
}
