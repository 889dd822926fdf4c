import type { Diagnostic } from '../../../src/contract/schema/workflow/diagnostic.ts';
import { locateInRepository } from './locateInRepository.ts';

/** A line break ends a workflow command, and the text could begin another one. */
const escapeCommandData = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
const escapeCommandProperty = (text: string): string =>
  escapeCommandData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

const COMMANDS = { error: 'error', warning: 'warning', note: 'notice' } as const;

/** A finding as a workflow command. GitHub takes its path from the root of the repository. */
export function formatLintForGithub({
  file,
  line,
  column,
  code,
  severity,
  message,
  hint,
}: Diagnostic): string {
  const { path } = locateInRepository(file);
  const properties = `file=${escapeCommandProperty(path)},line=${line},col=${column},title=${escapeCommandProperty(code)}`;
  return `::${COMMANDS[severity]} ${properties}::${escapeCommandData(hint === '' ? message : `${message} ${hint}`)}\n`;
}
