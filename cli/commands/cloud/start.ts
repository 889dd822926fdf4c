import { homedir } from 'node:os';
import { Command, Flags } from '@oclif/core';
import {
  KEPT_JOBS_DAYS,
  MAX_KEPT_JOBS_DAYS,
  MIN_KEPT_JOBS_DAYS,
} from '../../../src/base/limits/keptJobs.ts';
import {
  MAX_REQUEST_LIMIT,
  MIN_REQUEST_LIMIT,
  REQUEST_LIMIT,
} from '../../../src/base/limits/requestLimit.ts';
import { findPackageRoot } from '../../findPackageRoot.ts';
import { DEFAULT_CLOUD_HOST, DEFAULT_CLOUD_PORT } from '../../input/parseCloudStartFlags.ts';
import { runCloudStart } from '../../local/cloud/runCloudStart.ts';

/** For help only: `svc cloud start` itself runs without oclif, as svc start does. */
export default class CloudStartCommand extends Command {
  static override summary =
    'Start a control plane: one place for a team, its runners and its jobs.';
  static override description =
    'Runs until Ctrl-C, which lets running requests finish for at most 10 s. Without a database it starts the PostgreSQL of this machine in the home, for trying out. Several nodes may run on one database.';
  static override examples = [
    '<%= config.bin %> cloud start',
    'DATABASE_URL=postgres://svc:password@db.example.com/svc <%= config.bin %> cloud start --public-url https://svc.example.com --trust-proxy 127.0.0.1',
  ];
  static override flags = {
    port: Flags.integer({
      description: `Port to listen on; 0 takes any free one. Default: ${DEFAULT_CLOUD_PORT}.`,
      min: 0,
      max: 65_535,
      helpValue: '<port>',
    }),
    host: Flags.string({
      description: `Address to listen on. Default: ${DEFAULT_CLOUD_HOST}. Another one needs --public-url.`,
      helpValue: '<address>',
    }),
    database: Flags.string({
      description:
        'PostgreSQL database to use, version 15 or newer. Default: DATABASE_URL, which is the place for a URL with a password; else svc starts one.',
      helpValue: '<url>',
    }),
    'public-url': Flags.string({
      description:
        'Address at which people and runners reach the control plane. Default: http://localhost:<port>.',
      helpValue: '<url>',
    }),
    'node-url': Flags.string({
      description:
        'Address at which the other nodes on the same database reach this one. Default: the one that it listens on.',
      helpValue: '<url>',
    }),
    'trust-proxy': Flags.string({
      description:
        'Addresses or ranges of the proxies in front, such as 127.0.0.1,10.0.0.0/8: limits and the audit log then use the client that they name in X-Forwarded-For. Default: none, and the header is ignored.',
      helpValue: '<addresses>',
    }),
    'takeover-window': Flags.integer({
      description:
        'How long a runner is silent before another one may continue its jobs, in seconds: 30 to 600. Default: 60. The same for all nodes of a database.',
      min: 30,
      max: 600,
      helpValue: '<seconds>',
    }),
    'keep-jobs': Flags.integer({
      description: `How long jobs stay in the list after they have ended, in days: ${MIN_KEPT_JOBS_DAYS} to ${MAX_KEPT_JOBS_DAYS}. Default: ${KEPT_JOBS_DAYS}. Their runners keep them. The same for all nodes of a database.`,
      min: MIN_KEPT_JOBS_DAYS,
      max: MAX_KEPT_JOBS_DAYS,
      helpValue: '<days>',
    }),
    'request-limit': Flags.integer({
      description: `Requests a minute that a node takes of each person: ${MIN_REQUEST_LIMIT} to ${MAX_REQUEST_LIMIT}. Default: ${REQUEST_LIMIT}.`,
      min: MIN_REQUEST_LIMIT,
      max: MAX_REQUEST_LIMIT,
      helpValue: '<count>',
    }),
    'install-postgres': Flags.boolean({
      description: 'Install PostgreSQL into the home if this machine has none, without asking.',
    }),
    'log-file': Flags.string({
      description: 'Write the log there instead of to standard error, in files of 10 MiB.',
      helpValue: '<path>',
    }),
    'no-owner-link': Flags.boolean({
      description:
        'Do not print the link of the first owner: for a service, whose output is kept. svc cloud owner-link prints one.',
    }),
    json: Flags.boolean({
      description:
        'Once listening, print one line of JSON: url, publicUrl, pid, node, version, database, ownerLink.',
    }),
  };

  async run(): Promise<void> {
    await this.parse(CloudStartCommand);
    this.exit(
      await runCloudStart(findPackageRoot(import.meta.url), this.argv, process.env, homedir()),
    );
  }
}
