import { Flags } from '@oclif/core';
import { parseBeginning } from '../../src/base/time/parseBeginning.ts';
import { toIsoTime } from '../../src/base/time/toIsoTime.ts';
import type { AuditLogQuery, RecordedAct } from '../../src/contract/schema/runner/audit.ts';
import { SvcCommand } from '../base/base.ts';
import { formatActs } from '../render/runner/formatActs.ts';
import { formatPageNote } from '../render/text/formatPageNote.ts';

const MOST_ACTS = 1_000;

export default class AuditCommand extends SvcCommand {
  static override summary = 'Show what people did at this runner.';
  static override description =
    'Lists the entries of the audit log, newest first. An entry is written before the act, with the code of its error if it failed. Of settings it names the keys and values that are numbers or switches, and it never has a text that a person wrote. For the log of a team: svc cloud audit.';
  static override examples = [
    '<%= config.bin %> audit',
    '<%= config.bin %> audit --since 7d --action addTrust',
    '<%= config.bin %> audit --since 2026-11-01 --limit 1000 --json > audit.json',
  ];
  static override flags = {
    since: Flags.string({
      description: 'Only acts since this time: a date or an age, such as 7d.',
      helpValue: '<time>',
    }),
    job: Flags.string({ char: 'j', description: 'Only acts on this job.', helpValue: '<id>' }),
    person: Flags.string({
      description: 'Only acts of the person with this name.',
      helpValue: '<name>',
    }),
    action: Flags.string({
      description: 'Only acts with this action, such as addTrust.',
      helpValue: '<name>',
    }),
    limit: Flags.integer({
      char: 'n',
      description: 'Maximum number of entries to list.',
      default: 50,
      min: 1,
      max: MOST_ACTS,
      helpValue: '<n>',
    }),
    offset: Flags.integer({
      description: 'Number of entries to skip.',
      default: 0,
      min: 0,
      helpValue: '<n>',
    }),
  };

  async run(): Promise<RecordedAct[]> {
    const { flags } = await this.parse(AuditCommand);
    const query: AuditLogQuery = { limit: flags.limit, offset: flags.offset };
    if (flags.since !== undefined)
      query.since = toIsoTime(parseBeginning('The audit log', flags.since, this.io.now()));
    if (flags.job !== undefined) query.job = flags.job;
    if (flags.person !== undefined) query.person = flags.person;
    if (flags.action !== undefined) query.action = flags.action;
    const { acts, total } = await (await this.client(flags)).audit(query);
    this.print(acts.length === 0 ? 'No entries.\n' : formatActs(acts, this.io));
    this.note(formatPageNote('entries', acts.length, flags.offset, total));
    return acts;
  }
}
