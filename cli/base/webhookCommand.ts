import { Args, Flags } from '@oclif/core';
import type { TeamWebhookList } from '../../src/contract/schema/cloud/webhook.ts';
import { type CloudSession, openCloudSession } from '../cloud/cloudSession.ts';
import { refuseInsideSession } from '../input/confirmOrRefuse.ts';
import { readTextArgument } from '../input/readTextArgument.ts';
import { RunnerCommand } from './runnerCommand.ts';

export const pluginArg = {
  plugin: Args.string({ required: true, description: 'The sender: its plugin, such as github.' }),
};

export const teamFlag = {
  team: Flags.string({
    description: 'The team. Default: the team of your login.',
    helpValue: '<slug>',
  }),
};

export const secretFlag = {
  secret: Flags.string({
    description:
      'The secret, where the sender makes it; - reads it from standard input. Default: svc makes one.',
    helpValue: '-',
  }),
};

export interface TeamWebhooks {
  session: CloudSession;
  /** Of the webhooks of the team. */
  path: string;
}

/** A command about the webhooks of a team. */
export abstract class WebhookCommand extends RunnerCommand {
  /** Throws SvcError `unauthorized` where no one is logged in. */
  protected async openWebhooks(team: string | undefined): Promise<TeamWebhooks> {
    refuseInsideSession(this.io.env, 'change the webhooks of a team');
    const { version } = this.config;
    const session = await openCloudSession({ io: this.io, home: this.home(), version });
    const id = team ?? session.login.team.id;
    return { session, path: `/teams/${encodeURIComponent(id)}/webhooks` };
  }

  protected listWebhooks({ session, path }: TeamWebhooks): Promise<TeamWebhookList> {
    return session.ask<TeamWebhookList>(path);
  }

  /** The secret that was given; undefined = svc makes one. */
  protected async readSecret(argument: string | undefined): Promise<string | undefined> {
    if (argument === undefined) return undefined;
    return (await readTextArgument(argument, 'The secret', this.io)).trim();
  }
}
