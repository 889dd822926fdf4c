import type { Machine } from '../../src/contract/schema/workflow/machine.ts';
import { downloadText } from '../jobs/list/exportJobs.ts';
import type { MenuAction } from '../shell/controls/ActionMenu.tsx';
import { copyText } from '../shell/controls/copyMarkdown.ts';
import type { useDashboard } from '../shell/dashboard.ts';
import { renderMachineDiagram } from './picture/renderMachineDiagram.ts';
import { renderXStateModule, toXStateConfig } from './picture/renderXStateModule.ts';

type Shell = ReturnType<typeof useDashboard>['shell'];

/** What can be taken out of the page of a chart, beside its picture. */
export function listChartExports(shell: Shell, machine: Machine): MenuAction[] {
  const { chart, definition } = machine;
  const name = chart.replace(/^.*\//, '').replace(/\.md$/, '');
  const copy = (ending: string, text: () => string, says: string) => ({
    run: () => void copyText(shell, { file: `${name}.${ending}`, text: text(), says }),
  });
  return [
    {
      says: 'Copy as Mermaid',
      icon: 'copy',
      does: copy('mmd', () => renderMachineDiagram(definition), 'Copied as Mermaid.'),
    },
    {
      says: 'Save as XState module',
      icon: 'download',
      does: {
        run: () =>
          downloadText(`${name}.machine.ts`, 'text/plain', renderXStateModule(name, definition)),
      },
    },
    {
      says: 'Save as XState JSON',
      icon: 'download',
      does: {
        run: () =>
          downloadText(
            `${name}.machine.json`,
            'application/json',
            `${JSON.stringify(toXStateConfig(name, definition), null, 2)}\n`,
          ),
      },
    },
    {
      says: 'Copy a link to this view',
      icon: 'copy',
      does: copy('txt', () => location.href, 'Link copied.'),
    },
  ];
}
