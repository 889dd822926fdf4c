import { Flags } from '@oclif/core';
import { type AuditCheck, verifyAudit } from '../../../../src/base/audit/verifyAudit.ts';
import { SvcError } from '../../../../src/base/errors/errors.ts';
import { sha256 } from '../../../../src/base/system/ids/ids.ts';
import { RunnerCommand } from '../../../base/runnerCommand.ts';
import { openAuditReader } from '../../../cloud/openAuditReader.ts';

const PAGE = 1000;

export default class CloudAuditVerifyCommand extends RunnerCommand {
  static override summary = 'Check that no entry of the audit log was changed or removed.';
  static override description =
    'Computes the hash of each entry on this machine and names the first one that does not fit. Keep the hash that it prints somewhere else: an administrator of the database could compute the hashes of a changed log again, and this hash would then differ. Needs the role admin.';
  static override examples = ['<%= config.bin %> cloud audit verify'];
  static override flags = {
    team: Flags.string({
      description: 'Team to ask. Default: the team of your login.',
      helpValue: '<slug>',
    }),
  };

  async run(): Promise<AuditCheck> {
    const { flags } = await this.parse(CloudAuditVerifyCommand);
    const { version } = this.config;
    const read = await openAuditReader({ io: this.io, home: this.home(), version }, flags.team);
    const check = await verifyAudit((after) => read({ after, limit: PAGE }), sha256);
    const { fault, checked, from, head } = check;
    if (fault !== null)
      throw new SvcError(
        'store-failed',
        fault.reason === 'changed'
          ? `Entry ${fault.n} of the audit log was changed after it was written. The ${checked} entries before it are as they were written. Compare with a backup of the database.`
          : `Entry ${fault.n} of the audit log is missing. The ${checked} entries before it are as they were written. Compare with a backup of the database.`,
        { data: { ...check } },
      );
    this.print(
      checked === 0
        ? 'The audit log is empty.\n'
        : `${checked} entries are as they were written, ${from} to ${head.n}.\nHash of the last one: ${head.hash}\n`,
    );
    return check;
  }
}
