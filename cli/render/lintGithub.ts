import type { Diagnostic } from '../../src/schema/diagnostic.ts';

/** A line of a workflow command ends it, and what is in the text could begin another one. */
const inData = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
const inProperty = (text: string): string =>
  inData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

/** A finding as a workflow command: GitHub shows it next to the line of the file. */
export function lintGithub({
  file,
  line,
  column,
  code,
  severity,
  message,
  hint,
}: Diagnostic): string {
  const properties = `file=${inProperty(file)},line=${line},col=${column},title=${inProperty(code)}`;
  return `::${severity} ${properties}::${inData(hint === '' ? message : `${message} ${hint}`)}\n`;
}
