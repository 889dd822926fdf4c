import { Flags } from '@oclif/core';
import type { AuditEntry, AuditQuery } from '../../../../src/contract/schema/cloud/audit.ts';
import { parseBeginning } from '../../../../src/base/time/parseBeginning.ts';
import { toIsoTime } from '../../../../src/base/time/toIsoTime.ts';
import { RunnerCommand } from '../../../base/runnerCommand.ts';
import { openAuditReader } from '../../../cloud/openAuditReader.ts';
import { formatAudit } from '../../../render/team/formatAudit.ts';

const MOST_ENTRIES = 1000;

export default class CloudAuditCommand extends RunnerCommand {
  static override summary = 'Show who changed what in a team.';
  static override description =
    'Prints the newest entries of the audit log, the oldest of them first. Needs the role admin. An entry is written before a change is made; a change that failed has a second entry with the code of its error.';
  static override examples = [
    '<%= config.bin %> cloud audit',
    '<%= config.bin %> cloud audit --since 7d --action revokeRunner',
    "<%= config.bin %> cloud audit --since 7d --person 'Ada Lovelace'",
    '<%= config.bin %> cloud audit --since 2026-11-01 --limit 1000 --json > audit.json',
  ];
  static override flags = {
    since: Flags.string({
      description: 'Only entries since this time: a date or an age, such as 7d.',
      helpValue: '<time>',
    }),
    person: Flags.string({
      description: 'Only entries of the person with this name or ID.',
      helpValue: '<name>',
    }),
    action: Flags.string({
      description: 'Only entries with this action, such as changeMember.',
      helpValue: '<name>',
    }),
    limit: Flags.integer({
      description: `Most entries, 1 to ${MOST_ENTRIES}.`,
      default: 50,
      min: 1,
      max: MOST_ENTRIES,
      helpValue: '<count>',
    }),
    team: Flags.string({
      description: 'Team to ask. Default: the team of your login.',
      helpValue: '<slug>',
    }),
  };

  async run(): Promise<AuditEntry[]> {
    const { flags } = await this.parse(CloudAuditCommand);
    const { version } = this.config;
    const query: AuditQuery = { limit: flags.limit };
    if (flags.since !== undefined)
      query.since = toIsoTime(parseBeginning('The audit log', flags.since, this.io.now()));
    if (flags.person !== undefined) query.person = flags.person;
    if (flags.action !== undefined) query.action = flags.action;
    const read = await openAuditReader({ io: this.io, home: this.home(), version }, flags.team);
    const { entries } = await read(query);
    this.print(entries.length === 0 ? 'No entries.\n' : formatAudit(entries, this.io));
    return entries;
  }
}
