import { Flags } from '@oclif/core';
import type { Client } from '../../src/api/client/client.ts';
import type { CommandReply, ResumeBody } from '../../src/contract/schema/api/bodies.ts';
import type { Approval } from '../../src/contract/schema/job/approval.ts';
import type { Job } from '../../src/contract/schema/job/job.ts';
import { formatApproval } from '../render/job/formatApproval.ts';
import { SvcCommand } from '../base/base.ts';
import { readHomeVariable, resolveHomeFolder } from '../../src/host/config/home/paths.ts';
import { formatHandWork } from '../local/handWork/formatHandWork.ts';
import { forgetHandWork, readHandWork } from '../local/handWork/handWork.ts';
import { SvcError } from '../../src/base/errors/errors.ts';
import { confirmOrRefuse } from '../input/confirmOrRefuse.ts';
import { noStreamFlag } from '../input/flags.ts';
import { jobArg, jobFlag, teamFlag } from '../input/resolveObjects.ts';
import { followAndSetExitCode } from '../remote/followAndSetExitCode.ts';
import { deriveOutcome } from '../deriveOutcome.ts';
import { APPROVING_KEYS, MANUAL_RESUME } from '../../src/base/jobs/resumeKeys.ts';
import { toPrintableLine } from '../render/text/toPrintable.ts';
import { unchangedText } from '../render/job/unchangedText.ts';
import { formatCommandReply } from '../render/job/formatCommandReply.ts';
import {
  BULK_RESTS,
  type BulkRest,
  listJobsAtRest,
  type ResumeOutcome,
  resumeAll,
} from '../../src/api/client/resumeAll.ts';

const NEITHER = `Name what to resume: one job with svc resume <job>, or every job in a state with svc resume --all <${BULK_RESTS.join('|')}>.`;
const BOTH = 'A job and --all cannot be combined. Give one.';

export default class ResumeCommand extends SvcCommand {
  static override summary =
    'Resume a parked or failed job, or approve one that waits for approval.';
  static override description =
    'Before an approval, prints everything that is approved: the plan, the work items, the sub-runs, the next phase, and the sha256 of all of it. At a terminal, asks for confirmation unless --yes is given; elsewhere, approves what was printed. With --shown, neither prints nor asks. --all asks for confirmation; without a terminal, --yes is required. If the content has changed since it was shown, approves nothing and exits with 1. Then follows the log until the job ends or waits for a person; the exit codes are those of svc wait.';
  static override examples = [
    '<%= config.bin %> resume --job shop-job-1790000000000',
    '<%= config.bin %> resume --job shop-job-1790000000000 --event reject',
    '<%= config.bin %> resume --all developer',
    '<%= config.bin %> resume --job shop-job-1790000000000 --event approve --shown "$(svc status --job shop-job-1790000000000 --json | jq -r .approval.shown)"',
  ];
  static override usage = [
    'resume <job> [-e|--event <key>] [--shown <sha256>] [--unattended <until>] [-y|--yes] [--no-stream] [--json] [--url <url>]',
    `resume --all <${BULK_RESTS.join('|')}> [-y|--yes] [--json] [--url <url>]`,
  ];
  static override args = { job: jobArg };
  static override flags = {
    job: jobFlag,
    team: teamFlag,
    all: Flags.option({
      description:
        'Resume every job in this state instead of one job: waiting for you, a quota or an unavailable service, paused (until: only jobs whose unattended time is over; stop-all: only jobs that svc stop-all paused), or failed. Never includes jobs that wait for approval.',
      options: BULK_RESTS,
      exclusive: ['event', 'shown'],
    })(),
    yes: Flags.boolean({
      char: 'y',
      description: 'Do it without asking. Required for --all without a terminal.',
    }),
    event: Flags.string({
      char: 'e',
      description:
        'Event key, stored with the resumed turn: approve, reject or any key of your own.',
      default: MANUAL_RESUME,
      helpValue: '<key>',
    }),
    shown: Flags.string({
      description:
        'Approve exactly the content with this sha256 (approval.shown of svc status --json). Default: what this command prints.',
      helpValue: '<sha256>',
    }),
    unattended: Flags.string({
      description:
        'How long the job may work unattended from now on: a time with its zone, or a duration such as 12h. Default: an expired limit is removed, a current one is kept.',
      helpValue: '<until>',
      exclusive: ['all'],
    }),
    'no-stream': noStreamFlag,
  };

  async run(): Promise<CommandReply | Job | ResumeOutcome[]> {
    const parsed = await this.parse(ResumeCommand);
    const { flags, args } = parsed;
    const { all } = flags;
    const isNamed = flags.job !== undefined || args.job !== undefined;
    if (isNamed && all !== undefined) throw new SvcError('bad-argument', BOTH);
    if (all !== undefined) return this.#resumeAll(await this.client(flags), all, flags.yes);
    if (!isNamed) throw new SvcError('bad-argument', NEITHER);
    const { job: jobId } = this.objects(['job'], parsed);
    const client = await this.client(flags);
    const since = this.io.now();
    const job =
      APPROVING_KEYS.includes(flags.event) && flags.shown === undefined
        ? await client.job(jobId)
        : null;
    if (job?.approval && !(await this.#approves(client, job, job.approval, flags.yes))) {
      this.io.err('Nothing was approved.\n');
      this.io.exitWith(1);
      return job;
    }
    const shownPlan = flags.shown ?? job?.approval?.shown ?? null;
    const reply = await this.#resume(client, jobId, {
      eventKey: flags.event,
      ...(shownPlan === null ? {} : { shown: shownPlan }),
      ...(flags.unattended === undefined ? {} : { unattended: { until: flags.unattended } }),
    });
    this.print(formatCommandReply(reply));
    if (flags['no-stream'] || this.jsonEnabled()) return reply;
    const outcome = await followAndSetExitCode({
      client,
      jobId,
      io: this.io,
      asTalk: false,
      since,
      past: 0,
      untilOutcome: true,
      // States from before the resume do not count.
      toOutcome: (state) => (Date.parse(state.at) < since ? null : deriveOutcome(state)),
      timeoutMs: null,
    });
    if (outcome === 'complete') this.io.err(unchangedText(await client.job(jobId)));
    return reply;
  }

  /** After work by hand the agent gets a message with the changes, which continues the job. */
  async #resume(client: Client, jobId: string, body: ResumeBody): Promise<CommandReply> {
    const home = resolveHomeFolder(readHomeVariable(this.io.env), this.io.homeDir);
    const work = await readHandWork(home, jobId);
    if (work === null) return client.resume(jobId, body);
    const { eventKey, ...more } = body;
    const isPlain = eventKey === MANUAL_RESUME && Object.keys(more).length === 0;
    const resumedJob = isPlain ? null : await client.resume(jobId, body);
    const sentMessage = await client.message(jobId, { message: formatHandWork(work) });
    await forgetHandWork(home, jobId);
    this.note('The agent gets a message with your changes.\n');
    return resumedJob ?? sentMessage;
  }

  async #resumeAll(client: Client, rest: BulkRest, yes: boolean): Promise<ResumeOutcome[]> {
    const jobs = await listJobsAtRest(client, rest);
    if (jobs.length === 0) {
      this.io.err('No jobs match.\n');
      return [];
    }
    for (const { id, phase, description } of jobs)
      this.io.err(`${toPrintableLine(`${id}  ${phase}  ${description}`)}\n`);
    const which = jobs.length === 1 ? 'this job' : `these ${jobs.length} jobs`;
    if (!(await confirmOrRefuse(this.io, yes, `Resume ${which}?`))) {
      this.io.err('Nothing was resumed.\n');
      this.io.exitWith(1);
      return [];
    }
    const results = await resumeAll(client, jobs);
    const refusals = results.filter(({ problem }) => problem !== null);
    for (const { problem } of refusals) this.io.err(`${toPrintableLine(problem ?? '')}\n`);
    this.print(`${results.length - refusals.length} of ${results.length} jobs continue.\n`);
    if (refusals.length > 0) this.io.exitWith(1);
    return results;
  }

  /**
   * An approval destroys nothing and covers what was printed, so a script needs no --yes for it.
   */
  async #approves(client: Client, job: Job, approval: Approval, yes: boolean): Promise<boolean> {
    const plan =
      approval.artefactId === null ? null : await client.artefact(job.id, approval.artefactId);
    this.io.err(`${formatApproval(approval, job, plan, this.io)}\n`);
    const isAsked = !yes && !this.jsonEnabled() && this.io.ask !== null;
    return confirmOrRefuse(this.io, !isAsked, 'Approve all of this?');
  }
}
