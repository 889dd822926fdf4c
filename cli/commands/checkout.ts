import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { Flags } from '@oclif/core';
import type { Client } from '../../src/api/client/client.ts';
import type { Job } from '../../src/contract/schema/job/job.ts';
import { SvcError } from '../../src/base/errors/errors.ts';
import { ClientError } from '../../src/api/client/problem.ts';
import { readHomeVariable, resolveHomeFolder } from '../../src/host/config/home/paths.ts';
import { SvcCommand } from '../base/base.ts';
import { jobArg, jobFlag } from '../input/resolveObjects.ts';
import { beginHandWork } from '../local/handWork/handWork.ts';
import { toPrintableLine } from '../render/text/toPrintable.ts';

/** How often the job is asked whether its agent has ended, ms. */
const LOOK_MS = 500;
/** Longest wait for the end of its agent, ms: longer than an agent has to end. */
const MOST_WAIT_MS = 120_000;

interface CheckedOut {
  jobId: string;
  path: string;
}

export default class CheckoutCommand extends SvcCommand {
  static override summary = 'Pause a job and work in its checkout yourself.';
  static override description =
    'Pauses the job, waits until its agent has ended, and opens a shell in its checkout. svc resume continues the job and tells the agent why it was paused and what you changed. Without a terminal, and with --print, prints the path instead. Only on the machine of the job.';
  static override examples = [
    '<%= config.bin %> checkout --job shop-job-1790000000000 --reason "The migration needs a lock"',
    'cd "$(<%= config.bin %> checkout shop-job-1790000000000 --print)"',
  ];
  static override args = { job: jobArg };
  static override flags = {
    job: jobFlag,
    reason: Flags.string({
      description: 'Why, for the agent that continues.',
      helpValue: '<text>',
    }),
    print: Flags.boolean({ description: 'Print the path of the checkout; open no shell.' }),
  };

  async run(): Promise<CheckedOut> {
    const parsed = await this.parse(CheckoutCommand);
    const { flags } = parsed;
    const { job: jobId } = this.objects(['job'], parsed);
    const client = await this.client(flags);
    const path = readCheckout(await client.job(jobId));
    await this.#pause(client, jobId);
    const home = resolveHomeFolder(readHomeVariable(this.io.env), this.io.homeDir);
    await beginHandWork(home, jobId, { checkout: path, reason: flags.reason ?? null });
    if (flags.print || this.jsonEnabled() || this.io.ask === null) this.print(`${path}\n`);
    else await this.#openShell(path);
    this.note(`To continue the job: svc resume ${toPrintableLine(jobId)}\n`);
    return { jobId, path };
  }

  async #pause(client: Client, jobId: string): Promise<void> {
    if (isPaused(await client.job(jobId))) return;
    try {
      await client.pause(jobId);
    } catch (error) {
      if (!(error instanceof ClientError) || error.code !== 'not-possible-now') throw error;
      // It waits for a person, so no agent begins meanwhile.
      if ((await client.job(jobId)).parked !== null) return;
      throw error;
    }
    const end = this.io.now() + MOST_WAIT_MS;
    while (!isPaused(await client.job(jobId))) {
      if (this.io.now() > end)
        throw new SvcError(
          'not-possible-now',
          `The agent of ${jobId} has not ended within ${MOST_WAIT_MS / 1000} s. Try again, or see svc why ${jobId}.`,
        );
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
  }

  #openShell(path: string): Promise<void> {
    const shell = this.io.env.SHELL ?? '/bin/sh';
    this.note(`A shell in ${toPrintableLine(path)}. Ctrl-D ends it.\n`);
    return new Promise((resolve, reject) => {
      const child = spawn(shell, [], { cwd: path, stdio: 'inherit', env: this.io.env });
      child.once('error', (error) =>
        reject(new SvcError('cannot-run', `${shell} cannot be started: ${error.message}`)),
      );
      child.once('exit', () => resolve());
    });
  }
}

const isPaused = ({ state }: Job): boolean => state.includes('parked.paused');

function readCheckout({ id, ended, params }: Job): string {
  const path = params.repoCheckoutAbsDir;
  if (ended)
    throw new SvcError(
      'not-possible-now',
      `${id} has ended. svc rerun starts one of its phases again.`,
    );
  if (typeof path !== 'string')
    throw new SvcError(
      'not-possible-now',
      `${id} has no checkout yet: it has not begun its first phase.`,
    );
  if (!existsSync(path))
    throw new SvcError(
      'not-possible-now',
      `${path} is not on this machine. Run this where the runner of the job is.`,
    );
  return path;
}
