import { Flags } from '@oclif/core';
import type { ExportSubject } from '../../../src/cloud/openMaintenance.ts';
import { MaintenanceCommand } from '../../base/maintenanceCommand.ts';
import { writeNewFile } from '../../local/cloud/writeNewFile.ts';
import { toPrintableLine } from '../../render/text/toPrintable.ts';

export default class CloudExportCommand extends MaintenanceCommand {
  static override summary = 'Export what a control plane has of a team or a person.';
  static override description =
    'For who runs the control plane: it needs the database (DATABASE_URL, or the home of svc cloud start), and no login. Writes JSON Lines to a new file that only you can read: the first line says whose data it is, the last one how many rows. Passwords, tokens and sealed secrets are never exported; neither are the bodies of webhooks and the state of runners, of which svc backup makes a copy. The audit log names the export.';
  static override examples = [
    '<%= config.bin %> cloud export --team acme --output acme.jsonl',
    '<%= config.bin %> cloud export --person ada@example.com --output ada.jsonl',
  ];
  static override flags = {
    team: Flags.string({
      description: 'Team to export.',
      helpValue: '<slug>',
      exactlyOne: ['team', 'person'],
    }),
    person: Flags.string({
      description: 'Email address of the account to export.',
      helpValue: '<email>',
    }),
    output: Flags.string({
      required: true,
      description: 'File to write; it must not exist yet.',
      helpValue: '<file>',
    }),
  };

  async run(): Promise<{ file: string; rows: number }> {
    const { flags } = await this.parse(CloudExportCommand);
    const subject: ExportSubject =
      flags.team === undefined ? { person: flags.person ?? '' } : { team: flags.team };
    const { rows } = await this.withMaintenance('export data', (maintenance) =>
      writeNewFile(flags.output, (write) => maintenance.exportData(subject, write)),
    );
    this.print(`Exported ${rows} rows to ${toPrintableLine(flags.output)}.\n`);
    return { file: flags.output, rows };
  }
}
