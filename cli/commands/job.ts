import { Flags } from '@oclif/core';
import type { Dispatch } from '../../src/contract/schema/cloud/dispatch.ts';
import { SvcCommand } from '../base/base.ts';
import { dispatchJob } from '../cloud/dispatchJob.ts';
import {
  createAndFollowJob,
  parseFollowFlags,
  type FollowedCreation,
} from '../remote/createAndFollowJob.ts';
import { followFlags } from '../input/flags.ts';
import { DEFAULT_WORKFLOW, buildJobParams } from '../input/buildJobParams.ts';
import { teamFlag } from '../input/resolveObjects.ts';
import { readTextArgument } from '../input/readTextArgument.ts';
import type { Estimate } from '../../src/contract/schema/policy/estimate.ts';
import { toPrintableLine } from '../render/text/toPrintable.ts';

const formatEstimate = ({ text }: Estimate): string =>
  text.map((sentence) => `${toPrintableLine(sentence)}\n`).join('');

/** Path in the overlay of what `--workflow` names: the path itself, or a name such as `job`. */
const resolveWorkflowPath = (argument: string): string =>
  argument.includes('/') || argument.endsWith('.md') ? argument : `workflows/${argument}.md`;

export default class JobCommand extends SvcCommand {
  static override summary = 'Start a job and follow its log.';
  static override description =
    'If the job ends while it is followed, the exit code shows how; see svc help exit-codes.';
  static override examples = [
    '<%= config.bin %> job --repo shop --reviewers ana,ben --description "Add a health check"',
    '<%= config.bin %> job --repo shop --reviewers ana --description "Add a health check" --estimate',
    '<%= config.bin %> job --team acme --repo shop --description "Add a health check" --labels linux',
    'job=$(<%= config.bin %> job -r shop --reviewers ana -d "Add a health check" --quiet)',
    '<%= config.bin %> job --repo shop --reviewers ana --description - --wait --timeout 30m --json < task.md',
  ];
  static override flags = {
    repo: Flags.string({
      char: 'r',
      description: 'Slug of the repository.',
      helpValue: '<slug>',
    }),
    reviewers: Flags.string({
      description: 'Names of the reviewers, separated by commas.',
      helpValue: '<names>',
    }),
    description: Flags.string({
      char: 'd',
      description: 'What to do, or - for standard input.',
      helpValue: '<text>',
    }),
    'service-name': Flags.string({
      description: 'Prefix of the job ID. Default: the repository.',
      helpValue: '<slug>',
    }),
    'git-provider': Flags.string({ description: 'Forge of the repository.', helpValue: '<id>' }),
    'jira-ticket': Flags.string({
      description:
        'Ticket key. If given alone, the ticket supplies the repository and the description, and the job has no reviewers.',
      helpValue: '<key>',
    }),
    workflow: Flags.string({
      description:
        'Path of the workflow in the overlay, or its name, such as self-update for workflows/self-update.md.',
      default: DEFAULT_WORKFLOW,
      helpValue: '<path>',
    }),
    interactive: Flags.boolean({
      description:
        'Whether someone is watching the job; a failed campaign then waits for that person. Default: coachMode.enabled. Checkpoints wait either way; see --approve.',
      allowNo: true,
    }),
    approve: Flags.string({
      description:
        'Approve the checkpoint of this phase in advance, or those of all phases with "all". Can be given more than once.',
      multiple: true,
      multipleNonGreedy: true,
      helpValue: '<phase>',
    }),
    unattended: Flags.string({
      description:
        'How long the job may work unattended: a time with its zone (RFC 3339), or a duration such as 12h or 2d. After that no session starts, and the job stays paused.',
      helpValue: '<until>',
    }),
    param: Flags.string({
      char: 'p',
      description:
        'Another param, as name=value; the value may be JSON. Can be given more than once.',
      multiple: true,
      multipleNonGreedy: true,
      helpValue: '<k=v>',
    }),
    estimate: Flags.boolean({
      description:
        "Print an estimate and create nothing: the maximum set by the job's limits, and the likely usage based on past runs.",
      exclusive: ['no-stream', 'quiet', 'wait'],
    }),
    team: teamFlag,
    labels: Flags.string({
      description: 'Labels that the runner must have, separated by commas.',
      helpValue: '<labels>',
      dependsOn: ['team'],
    }),
    runner: Flags.string({
      description: 'The only runner of the team that may take it, by name or ID.',
      helpValue: '<name>',
      dependsOn: ['team'],
    }),
    ...followFlags,
  };

  async run(): Promise<FollowedCreation | Estimate | Dispatch> {
    const { flags } = await this.parse(JobCommand);
    const following = parseFollowFlags(flags);
    const description =
      flags.description === undefined
        ? undefined
        : await readTextArgument(flags.description, '--description', this.io);
    const workflowPath = resolveWorkflowPath(flags.workflow);
    const params = buildJobParams({ ...flags, workflow: workflowPath, description });
    const client = await this.client(flags);
    const body = { type: 'job', workflowPath, params };
    if (flags.estimate) {
      const estimate = await client.estimateJob(body);
      this.print(formatEstimate(estimate));
      return estimate;
    }
    const more = { client, following, io: this.io, asJson: this.jsonEnabled() };
    if (flags.team === undefined)
      return createAndFollowJob({ ...more, create: () => client.createJob(body) });
    const labels = (flags.labels ?? '').split(',').flatMap((label) => label.trim() || []);
    const dispatchBody = {
      ...body,
      ...(labels.length > 0 ? { labels } : {}),
      ...(flags.runner === undefined ? {} : { runner: flags.runner }),
    };
    const isAwaited = following.wait || !(following.silent || this.jsonEnabled());
    const createdJob = await dispatchJob({ client, body: dispatchBody, io: this.io, isAwaited });
    if (!('dispatchId' in createdJob)) {
      this.print(
        `dispatch ${createdJob.id}\nstate    ${createdJob.state}\nreason   ${createdJob.reason}\n`,
      );
      return createdJob;
    }
    return createAndFollowJob({ ...more, create: async () => createdJob });
  }
}
