import type { InitStep } from '../../setUp/listNextSteps.ts';
import type { InitChange } from '../../../src/host/setUp/chosenValues.ts';
import type { Io } from '../../io.ts';
import type { SetUpView } from '../../../src/contract/schema/runner/setUpSteps.ts';
import { formatConfigValue } from './formatConfigValues.ts';
import { toPrintableLine } from '../text/toPrintable.ts';
import { renderTable } from '../text/renderTable.ts';

const formatInitValue = (value: unknown): string =>
  value === null ? '(none)' : formatConfigValue(value);

export function formatInitChanges(
  changes: readonly InitChange[],
  isNew: boolean,
  io: Pick<Io, 'color' | 'columns'>,
): string {
  const rows = changes.map(({ key, before, value, from }) => [
    toPrintableLine(key),
    ...(isNew ? [] : [formatInitValue(before)]),
    `${formatInitValue(value)}${from === null ? '' : ` from ${from}`}`,
  ]);
  return renderTable(isNew ? ['KEY', 'VALUE'] : ['KEY', 'BEFORE', 'VALUE'], rows, io);
}

export const formatInitChange = ({ before, value }: InitChange): string =>
  `${formatInitValue(before)} would become ${formatInitValue(value)}`;

export const formatNextSteps = (next: readonly InitStep[]): string =>
  `Next:\n${next.map(({ command, why }) => `  ${toPrintableLine(command)}\n      ${toPrintableLine(why)}\n`).join('')}`;

const STATE_WORDS = { open: 'not set', skipped: 'skipped' } as const;

const CHANGE =
  'Change it with the flags of svc init (svc help init), or with: svc config set <key> <value>.';

export const formatSetUpSteps = ({ steps, caps, restart }: SetUpView): string =>
  [
    ...steps.map(({ title, state, saved }) =>
      toPrintableLine(`${title}: ${state === 'saved' ? saved.join(' ') : STATE_WORDS[state]}`),
    ),
    `Caps: ${caps}`,
    CHANGE,
    ...(restart.length === 0 ? [] : [`Takes effect after svc restart: ${restart.join(', ')}.`]),
  ]
    .map((line) => `${line}\n`)
    .join('');
