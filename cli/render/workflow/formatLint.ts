import { formatCount } from '../../../src/base/text/formatCount.ts';
import type { Diagnostic } from '../../../src/contract/schema/workflow/diagnostic.ts';
import type { Io } from '../../io.ts';
import { formatExcerpt } from './formatExcerpt.ts';
import { toPrintableLine } from '../text/toPrintable.ts';
import { locateInRepository } from './locateInRepository.ts';
import type { InvariantProof } from '../../../src/contract/schema/workflow/invariantProof.ts';

const SAYS: Readonly<Record<InvariantProof['result'], string>> = {
  proved: 'proved',
  counterexample: 'counterexample',
  unreachable: 'unreachable: no phase can do what it forbids',
  'prevents-completion': 'prevents completion',
  'too-large': 'not decided: the workflow is too large for it',
};

const BY: Readonly<Record<string, string>> = {
  workflow: ': the workflow never leads there',
  guard: ': what would break it is refused',
};

/** What was proved of an invariant, with each step of the way where it is broken. */
export function formatProof(
  file: string,
  { invariant, from, rule, result, by, steps }: InvariantProof,
  { color }: Pick<Io, 'color'>,
): string {
  const broken = result === 'counterexample' || result === 'prevents-completion';
  const paint = broken ? color.red : result === 'proved' ? color.green : color.yellow;
  const source = from === null ? '' : ` (${from})`;
  const says = `${SAYS[result]}${result === 'proved' ? (BY[by ?? ''] ?? '') : ''}`;
  const first = `${toPrintableLine(file)} invariant ${invariant}${source}, ${toPrintableLine(rule)}: ${paint(says)}\n`;
  const way = broken ? steps.map((step, n) => `  ${n + 1}. ${toPrintableLine(step)}\n`) : [];
  return `${first}${way.join('')}`;
}

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

/**
 * A finding as editors and CI understand it, `file:line:column`; below it the line that it is about,
 * where `source` is the file's text, and its hint.
 */
export function formatLint(
  { file, line, column, severity, code, message, hint }: Diagnostic,
  { color, columns = 0 }: Pick<Io, 'color'> & Partial<Pick<Io, 'columns'>>,
  source: string | null = null,
): string {
  const paint = { error: color.red, warning: color.yellow, note: color.cyan }[severity];
  const first = `${toPrintableLine(file)}:${line}:${column} ${paint(severity)} ${toPrintableLine(message)} ${color.dim(`[${toPrintableLine(code)}]`)}\n`;
  const excerpt =
    source === null || source === ''
      ? ''
      : color.dim(formatExcerpt(source, { line, column }, columns));
  return `${first}${excerpt}${hint === '' ? '' : `  ${toPrintableLine(hint)}\n`}`;
}

export function summarizeLint(
  diagnostics: readonly Pick<Diagnostic, 'severity'>[],
  files: number,
): string {
  const count = (severity: Diagnostic['severity']) =>
    diagnostics.filter((one) => one.severity === severity).length;
  const [errors, warnings, notes] = [count('error'), count('warning'), count('note')];
  const noteCount = notes === 0 ? '' : `, ${formatCount(notes, 'note')}`;
  const problemCount =
    errors + warnings === 0
      ? 'No findings'
      : `${formatCount(errors, 'error')}, ${formatCount(warnings, 'warning')}`;
  return `${problemCount}${errors + warnings === 0 ? '' : noteCount} in ${formatCount(files, 'file')}${errors + warnings === 0 ? noteCount : ''}.\n`;
}
