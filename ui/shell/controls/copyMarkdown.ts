import { downloadText } from '../../jobs/list/exportJobs.ts';
import type { ShellStore } from '../shellStore.ts';

/**
 * Copies a text; where the browser does not let a page copy, it is saved as a file. `name`: of the
 * file, without its ending.
 */
export async function copyMarkdown(shell: ShellStore, name: string, text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    shell.trigger.did({ text: 'Copied as Markdown.' });
  } catch {
    downloadText(`${name}.md`, 'text/markdown', text);
    shell.trigger.did({ text: 'Saved as a file: this browser does not let the page copy.' });
  }
}
