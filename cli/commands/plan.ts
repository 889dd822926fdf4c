import { Args, Flags } from '@oclif/core';
import type { CreatedJob } from '../../src/contract/schema/api/bodies.ts';
import type { IntakeContext, Investigation } from '../../src/contract/schema/planning/intake.ts';
import { shorten } from '../../src/base/text/clip.ts';
import type { Client } from '../../src/api/client/client.ts';
import { SvcError } from '../../src/base/errors/errors.ts';
import { randomIds } from '../../src/base/system/ids/ids.ts';
import { SvcCommand } from '../base/base.ts';
import { runPlanTurn, type TurnEnd } from '../remote/runPlanTurn.ts';
import { confirmOrRefuse } from '../input/confirmOrRefuse.ts';
import { parsePlanMessage, findMessageToAskAgain } from '../input/parsePlanMessage.ts';
import { buildProposedJob } from '../input/buildProposedJob.ts';
import { readTextArgument } from '../input/readTextArgument.ts';
import { formatPlanResult, formatProposedJob } from '../render/job/formatPlanResult.ts';

interface PlanReply {
  turn: TurnEnd;
  session: Investigation;
  /** null = nothing was dispatched. */
  job: CreatedJob | null;
}

/** Most workflows that the model is shown, and characters of each description. */
const MAX_WORKFLOWS = 100;
const MAX_DESCRIPTION_CHARS = 2_000;
const LAST = 'last';

export default class PlanCommand extends SvcCommand {
  static override summary = 'Investigate a task in a read-only chat, then dispatch it as a job.';
  static override description =
    'The model reads repositories and tickets and cannot change anything. The answer is streamed; findings follow, with every citation checked. Ctrl-C stops the answer and keeps the part received so far. --dispatch shows the job and asks. The dashboard has the same conversations under Plan.';
  static override examples = [
    '<%= config.bin %> plan --repo shop "Why does the checkout fail for empty carts?"',
    '<%= config.bin %> plan --continue last "Write the findings" --dispatch --reviewers ana',
    '<%= config.bin %> plan --json "What would it take to add a health check?" < /dev/null',
  ];
  static override args = {
    text: Args.string({ description: 'The message, or - for standard input.' }),
  };
  static override flags = {
    continue: Flags.string({
      description: 'ID of a conversation to continue, or "last".',
      helpValue: '<id>',
    }),
    again: Flags.boolean({
      description:
        'Send the last message of the conversation again, if its answer is incomplete. Takes no text.',
      dependsOn: ['continue'],
    }),
    repo: Flags.string({
      char: 'r',
      description: 'Slug of the repository to read, and of the job.',
      helpValue: '<slug>',
    }),
    model: Flags.string({
      description: 'Model of the conversation. Default: the alias planning.',
      helpValue: '<id>',
    }),
    provider: Flags.string({
      description: 'Executor of the conversation. Default: the executor of the alias planning.',
      helpValue: '<id>',
    }),
    dispatch: Flags.boolean({ description: 'Start the job afterwards; asks first.' }),
    yes: Flags.boolean({
      char: 'y',
      description:
        'Dispatch without asking. Refused if the model has read text from outside the team, unless --outside is given.',
      dependsOn: ['dispatch'],
    }),
    outside: Flags.boolean({
      description: 'With --yes: dispatch even if the model has read text from outside the team.',
      dependsOn: ['yes'],
    }),
    workflow: Flags.string({
      description: "Path of the workflow. Default: the model's proposal, else workflows/job.md.",
      helpValue: '<path>',
    }),
    reviewers: Flags.string({
      description: 'Names of the reviewers, separated by commas.',
      helpValue: '<names>',
    }),
    description: Flags.string({
      char: 'd',
      description: "Description of the job. Default: the model's proposal.",
      helpValue: '<text>',
    }),
  };

  async run(): Promise<PlanReply> {
    const { flags, args } = await this.parse(PlanCommand);
    const planMessage = parsePlanMessage(args.text, flags.again);
    const text =
      planMessage === 'again'
        ? null
        : await readTextArgument(planMessage.text, 'The text', this.io);
    const client = await this.client(flags);
    const sessionId = await resolveChatSession(client, flags.continue);
    const message = text ?? findMessageToAskAgain(await client.investigation(sessionId));
    const { repo, model, provider } = flags;
    const turn = await runPlanTurn({
      client,
      io: this.io,
      show: this.jsonEnabled() ? null : (text) => this.io.out(text),
      body: {
        sessionId,
        message:
          repo === undefined || text === null ? message : `${message}\n\nRepository: ${repo}`,
        context: await buildProposalContext(client, repo),
        ...(model === undefined ? null : { model }),
        ...(provider === undefined ? null : { provider }),
      },
    });
    const session = await client.investigation(sessionId);
    this.print(`\n${formatPlanResult(session, this.io.color)}`);
    if (turn === 'detached') this.io.exitWith(130);
    const job = flags.dispatch && turn === 'done' ? await this.#dispatch(client, session) : null;
    return { turn, session, job };
  }

  async #dispatch(client: Client, session: Investigation): Promise<CreatedJob | null> {
    const { flags } = await this.parse(PlanCommand);
    const proposedJob = buildProposedJob(session, flags);
    this.note(`\n${formatProposedJob(proposedJob, session.outside)}`);
    if (flags.yes && session.outside.length > 0 && !flags.outside)
      throw new SvcError(
        'not-possible-now',
        'The model has read what people outside of the team wrote, so --yes alone does not dispatch. Read the findings; then give --outside too.',
      );
    if (!(await confirmOrRefuse(this.io, flags.yes, 'Dispatch this job?'))) {
      this.note('Nothing was dispatched.\n');
      return null;
    }
    const created = await client.createJob({ type: 'job', ...proposedJob });
    this.print(`${created.jobId}\n`);
    return created;
  }
}

async function resolveChatSession(
  client: Client,
  givenSession: string | undefined,
): Promise<string> {
  if (givenSession === undefined) return randomIds.next();
  if (givenSession !== LAST) return (await client.investigation(givenSession)).sessionId;
  const [newest] = (await client.investigations({ limit: 1 })).sessions;
  if (newest) return newest.sessionId;
  throw new SvcError('not-found', 'There are no conversations yet. Omit --continue.');
}

async function buildProposalContext(
  client: Client,
  repo: string | undefined,
): Promise<IntakeContext> {
  const all = await client.workflows();
  const workflows = all.filter(({ problem }) => problem === undefined).slice(0, MAX_WORKFLOWS);
  const availableWorkflows = workflows.map(({ id, label, workflowPath, description }) => ({
    id,
    name: label || id,
    workflowPath,
    description: shorten(description, MAX_DESCRIPTION_CHARS),
  }));
  return repo === undefined ? { availableWorkflows } : { availableWorkflows, recentRepos: [repo] };
}
