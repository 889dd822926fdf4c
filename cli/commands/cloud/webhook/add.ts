import { Flags } from '@oclif/core';
import { ClientError } from '../../../../src/api/client/problem.ts';
import { SvcError } from '../../../../src/base/errors/errors.ts';
import type { NewWebhook } from '../../../../src/contract/schema/cloud/webhook.ts';
import {
  pluginArg,
  secretFlag,
  teamFlag,
  type TeamWebhooks,
  WebhookCommand,
} from '../../../base/webhookCommand.ts';
import { createJsonInit } from '../../../cloud/cloudRequest.ts';
import { explainOwnSecret } from '../../../cloud/webhookFields.ts';
import { confirmOrRefuse } from '../../../input/confirmOrRefuse.ts';
import { formatNewWebhook } from '../../../render/cloud/formatWebhooks.ts';
import { toPrintableLine } from '../../../render/text/toPrintable.ts';

/** Between two looks for the first webhook, ms, and how long it is waited for, ms. */
const LOOK_MS = 1_000;
const WAIT_MS = 10 * 60_000;

export default class CloudWebhookAddCommand extends WebhookCommand {
  static override summary = 'Take the webhooks of a sender for the team, without a tunnel.';
  static override description =
    "Makes a secret, prints the address and the fields for the sender's settings, and waits for its first webhook; Ctrl-C ends the wait. Every runner of the team gets each webhook. Needs an admin. How an installed plugin's sender signs is shown, and has to be accepted.";
  static override examples = [
    '<%= config.bin %> cloud webhook add github',
    'echo "$SECRET" | <%= config.bin %> cloud webhook add linear --secret -',
  ];
  static override args = pluginArg;
  static override flags = {
    ...secretFlag,
    ...teamFlag,
    accept: Flags.string({
      description: 'Hash of the manifest of an installed plugin that you accept, without asking.',
      helpValue: '<hash>',
    }),
    wait: Flags.boolean({
      allowNo: true,
      default: true,
      description: 'Wait for the first webhook. Default: yes, except with --json.',
    }),
  };

  async run(): Promise<NewWebhook> {
    const { args, flags } = await this.parse(CloudWebhookAddCommand);
    const { plugin } = args;
    const webhooks = await this.openWebhooks(flags.team);
    const secret = await this.readSecret(flags.secret);
    const explanation = explainOwnSecret(plugin);
    if (secret === undefined && explanation !== null)
      throw new SvcError(
        'bad-argument',
        `${plugin} makes the secret itself: ${explanation}, and pass it with --secret -. The address is ${webhooks.session.login.url}/webhook/${webhooks.session.login.team.id}/${plugin}`,
      );
    const body = { plugin, ...(secret === undefined ? {} : { secret }) };
    const webhook = await this.#add(webhooks, body, flags.accept);
    this.print(formatNewWebhook(webhook));
    if (flags.wait && !this.jsonEnabled()) await this.#awaitFirst(webhooks, plugin);
    return webhook;
  }

  async #add(
    webhooks: TeamWebhooks,
    body: { plugin: string; secret?: string },
    acceptedHash: string | undefined,
  ): Promise<NewWebhook> {
    const { session, path } = webhooks;
    const send = (manifest: string | undefined) =>
      session.ask<NewWebhook>(
        path,
        createJsonInit('POST', { ...body, ...(manifest === undefined ? {} : { manifest }) }),
      );
    try {
      return await send(acceptedHash);
    } catch (error) {
      const isKnown = error instanceof ClientError && error.code === 'conflict';
      if (!isKnown || acceptedHash !== undefined) throw error;
      const { offered } = await this.listWebhooks(webhooks);
      const offer = offered.find(({ plugin }) => plugin === body.plugin);
      if (offer === undefined) throw error;
      this.io.err(
        `${body.plugin} is a plugin that ${toPrintableLine(offer.runner)} has installed. It says that its webhooks are signed like this:\n${JSON.stringify(offer.manifest, null, 2)}\n`,
      );
      if (this.io.ask === null)
        throw new SvcError(
          'bad-argument',
          `The manifest has to be accepted, and no terminal is attached. Give --accept ${offer.hash}`,
        );
      if (!(await confirmOrRefuse(this.io, false, 'Accept this?'))) throw error;
      return send(offer.hash);
    }
  }

  async #awaitFirst(webhooks: TeamWebhooks, plugin: string): Promise<void> {
    this.note('Waiting for the first webhook. Ctrl-C ends the wait.\n');
    let isOver = false;
    let wake = (): void => undefined;
    const release = this.io.onInterrupt(() => {
      isOver = true;
      wake();
    });
    const until = this.io.now() + WAIT_MS;
    try {
      while (!isOver && this.io.now() < until) {
        const { webhooks: all } = await this.listWebhooks(webhooks);
        if (all.find((one) => one.plugin === plugin)?.lastAt != null) {
          this.print('The first webhook has come.\n');
          return;
        }
        await new Promise<void>((resolve) => {
          wake = resolve;
          this.io.after(LOOK_MS, resolve);
        });
      }
      this.note('None has come yet. svc cloud webhook list shows when one does.\n');
    } finally {
      release();
    }
  }
}
