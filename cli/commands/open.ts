import { platform } from 'node:os';
import { Flags } from '@oclif/core';
import { readEnvironment } from '../../src/host/config/home/env.ts';
import { SvcCommand } from '../base/base.ts';
import { openBrowser, shouldOpenBrowser } from '../remote/browser.ts';

interface OpenReply {
  /** Good once, for ten minutes. */
  url: string;
  expiresAt: string;
  opened: boolean;
}

export default class OpenCommand extends SvcCommand {
  static override summary = 'Open the dashboard and log a browser in.';
  static override description =
    'Opens a one-time link that logs the browser in; it is valid for ten minutes. Without a display, over SSH or with --no-open, prints the link instead. A login expires 30 days after its last use.';
  static override examples = [
    '<%= config.bin %> open',
    '<%= config.bin %> open --no-open',
    '<%= config.bin %> open --end-logins',
  ];
  static override flags = {
    open: Flags.boolean({
      description:
        'Open a browser regardless of the environment; --no-open prints the link instead.',
      allowNo: true,
    }),
    'end-logins': Flags.boolean({
      description: 'End all dashboard logins of this runner, and open nothing.',
      exclusive: ['open'],
    }),
  };

  async run(): Promise<OpenReply | { ended: number }> {
    const { flags } = await this.parse(OpenCommand);
    const client = await this.client(flags);
    if (flags['end-logins']) {
      const reply = await client.endLogins();
      this.print(`${reply.ended} ${reply.ended === 1 ? 'login' : 'logins'} ended.\n`);
      return reply;
    }
    const { path, expiresAt } = await client.createLogin();
    const url = `${client.baseUrl}${path}`;
    const { browser } = readEnvironment(this.io.env);
    const opened = shouldOpenBrowser(flags.open, browser, platform()) && (await openBrowser(url));
    this.print(
      opened
        ? 'The dashboard opens in your browser.\n'
        : `Open this link in a browser. It works once, within ten minutes:\n${url}\n`,
    );
    return { url, expiresAt, opened };
  }
}
