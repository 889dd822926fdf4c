import type { TrustView } from '../../../src/contract/schema/workflow/trust.ts';
import { SvcCommand } from '../../base/base.ts';
import { toPrintableLine } from '../../render/text/toPrintable.ts';
import { renderTable } from '../../render/text/renderTable.ts';
import { TRUST_HEADER, toTrustRow } from '../../render/workflow/formatTrust.ts';

export default class TrustListCommand extends SvcCommand {
  static override summary = 'List repositories and whether they are trusted.';
  static override examples = ['<%= config.bin %> trust list'];

  async run(): Promise<TrustView[]> {
    const { flags } = await this.parse(TrustListCommand);
    const views = await (await this.client(flags)).trust();
    const rows = views.map((view) => toTrustRow(view).map(toPrintableLine));
    this.print(renderTable(TRUST_HEADER, rows, this.io));
    return views;
  }
}
