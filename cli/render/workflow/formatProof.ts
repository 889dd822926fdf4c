import type { InvariantProof } from '../../../src/contract/schema/workflow/invariantProof.ts';
import type { Io } from '../../io.ts';
import { toPrintableLine } from '../text/toPrintable.ts';

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
