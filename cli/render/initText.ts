import type { InitStep } from '../setUp/nextSteps.ts';
import type { InitChange } from '../../src/setUp/chosen.ts';
import type { Io } from '../io.ts';
import type { SetUpView } from '../../src/schema/setUpSteps.ts';
import { valueText } from './configText.ts';
import { printableLine } from './printable.ts';
import { table } from './table.ts';

const text = (value: unknown): string => (value === null ? '(none)' : valueText(value));

/** What a change of the configuration does, one value a line. */
export function changesText(
  changes: readonly InitChange[],
  isNew: boolean,
  io: Pick<Io, 'color' | 'columns'>,
): string {
  const rows = changes.map(({ key, before, value, from }) => [
    printableLine(key),
    ...(isNew ? [] : [text(before)]),
    `${text(value)}${from === null ? '' : ` from ${from}`}`,
  ]);
  return table(isNew ? ['KEY', 'VALUE'] : ['KEY', 'BEFORE', 'VALUE'], rows, io);
}

/** One change on one line. */
export const changeLine = ({ before, value }: InitChange): string =>
  `${text(before)} would become ${text(value)}`;

/** What to do next: commands with what they are for. */
export const nextText = (next: readonly InitStep[]): string =>
  `Next:\n${next.map(({ command, why }) => `  ${printableLine(command)}\n      ${printableLine(why)}\n`).join('')}`;

const STATE_WORDS = { open: 'not set', skipped: 'skipped' } as const;

const CHANGE =
  'Change it with the flags of svc init (svc help init), or with: svc config set <key> <value>.';

/** What is set up, one step a line, and the caps. */
export const stepsText = ({ steps, caps, restart }: SetUpView): string =>
  [
    ...steps.map(({ title, state, saved }) =>
      printableLine(`${title}: ${state === 'saved' ? saved.join(' ') : STATE_WORDS[state]}`),
    ),
    `Caps: ${caps}`,
    CHANGE,
    ...(restart.length === 0 ? [] : [`Takes effect after svc restart: ${restart.join(', ')}.`]),
  ]
    .map((line) => `${line}\n`)
    .join('');
