import { downloadText } from '../../jobs/list/exportJobs.ts';
import type { ShellStore } from '../shellStore.ts';

/**
 * Copies a text; where the browser does not let a page copy, it is saved as a file. `name`: of the
 * file, without its ending.
 */
export const copyMarkdown = (shell: ShellStore, name: string, text: string): Promise<void> =>
  copyText(shell, { file: `${name}.md`, text, says: 'Copied as Markdown.' });

/** The same of any text; `file`: what it is saved as, `says`: what the person reads once it is copied. */
export async function copyText(
  shell: ShellStore,
  { file, text, says }: { file: string; text: string; says: string },
): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    shell.trigger.did({ text: says });
  } catch {
    downloadText(file, 'text/plain', text);
    shell.trigger.did({ text: 'Saved as a file: this browser does not let the page copy.' });
  }
}
