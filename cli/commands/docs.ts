import { Args } from '@oclif/core';
import { LocalCommand } from '../base/localCommand.ts';
import { findPackageRoot } from '../findPackageRoot.ts';
import { type DocPage, listDocPages, readDocPage } from '../local/docs/listDocPages.ts';
import { renderTable } from '../render/text/renderTable.ts';

export default class DocsCommand extends LocalCommand {
  static override summary = 'Read the documentation of this version, offline.';
  static override description =
    'Prints a page as Markdown; without a name, lists the pages. The last part of a name is enough where only one page has it.';
  static override examples = [
    '<%= config.bin %> docs',
    '<%= config.bin %> docs guides/notifications',
    '<%= config.bin %> docs backup | less',
  ];
  static override args = {
    page: Args.string({ description: 'The page, such as guides/notifications.' }),
  };

  async run(): Promise<DocPage[] | (DocPage & { text: string })> {
    const { args } = await this.parse(DocsCommand);
    const root = findPackageRoot(import.meta.url);
    if (args.page === undefined) {
      const pages = listDocPages(root);
      const rows = pages.map(({ page, title }) => [page, title]);
      this.print(renderTable(['Page', 'Title'], rows, this.io));
      return pages;
    }
    const docPage = readDocPage(root, args.page);
    this.print(docPage.text);
    return docPage;
  }
}
