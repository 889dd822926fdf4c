import type { Diagnostic } from '../../src/schema/diagnostic.ts';
import { repositoryPlace } from './lintPlace.ts';

/** A line of a workflow command ends it, and what is in the text could begin another one. */
const inData = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
const inProperty = (text: string): string =>
  inData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

const COMMANDS = { error: 'error', warning: 'warning', note: 'notice' } as const;

/**
 * A finding as a workflow command: GitHub shows it next to the line of the file, whose path it takes
 * from the root of the repository.
 */
export function lintGithub({
  file,
  line,
  column,
  code,
  severity,
  message,
  hint,
}: Diagnostic): string {
  const { path } = repositoryPlace(file);
  const properties = `file=${inProperty(path)},line=${line},col=${column},title=${inProperty(code)}`;
  return `::${COMMANDS[severity]} ${properties}::${inData(hint === '' ? message : `${message} ${hint}`)}\n`;
}
