import type { TrustView } from '../../../src/schema/trust.ts';
import { SvcCommand } from '../../base/base.ts';
import { printableLine } from '../../render/printable.ts';
import { table } from '../../render/table.ts';
import { TRUST_HEADER, trustRow } from '../../render/trustText.ts';

export default class TrustListCommand extends SvcCommand {
  static override summary = 'List repositories and whether they are trusted.';
  static override examples = ['<%= config.bin %> trust list'];

  async run(): Promise<TrustView[]> {
    const { flags } = await this.parse(TrustListCommand);
    const views = await (await this.client(flags)).trust();
    const rows = views.map((view) => trustRow(view).map(printableLine));
    this.print(table(TRUST_HEADER, rows, this.io));
    return views;
  }
}
