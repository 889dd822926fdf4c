import type { Ansis } from 'ansis';
import { describePhaseOutcome } from '../../../src/base/jobs/describePhaseOutcome.ts';
import type { RatedBy, TrackRecord } from '../../../src/contract/schema/policy/trackRecord.ts';
import { toPrintableLine } from '../text/toPrintable.ts';
import { renderTable } from '../text/renderTable.ts';

type Style = { color: Ansis; columns: number };

const formatShare = (value: number | null): string =>
  value === null ? 'unknown' : `${Math.round(value * 100)} %`;
const formatScore = (value: number | null): string =>
  value === null ? 'unknown' : value.toFixed(3);

const MODES = { off: 'Off', shadow: 'Observe', live: 'Manage' } as const;

function listRaterFigures(one: RatedBy): string[][] {
  const { flagsKnown, flagsRight, precision, precisionBound, p50, p95 } = one;
  return [
    ['asked', `${one.asked}, ${one.skipped} without an answer`],
    ['turned out', `${one.good} good, ${one.bad} bad`],
    ['flags', `${one.flags}; outcome known of ${flagsKnown}`],
    [
      'right flags',
      precision === null
        ? 'unknown'
        : `${flagsRight} of ${flagsKnown} (${formatShare(precision)}), at least ${formatShare(precisionBound)}`,
    ],
    ['bad work found', formatShare(one.recall)],
    ['Brier score', `${formatScore(one.brier)}; baseline ${formatScore(one.baseBrier)}`],
    [
      'time',
      p50 === null || p95 === null ? 'unknown' : `half within ${p50} ms, 95 % within ${p95} ms`,
    ],
  ];
}

export function formatTrackRecord(record: TrackRecord, style: Style): string {
  const { color } = style;
  const blocks = record.ratedBy.map((one) =>
    [
      `\n${color.bold(toPrintableLine(`${one.site}: ${one.provider}, ${one.model}${one.current ? '' : ' (earlier)'}`))}\n`,
      ...listRaterFigures(one).map(([name = '', text = '']) => `  ${name.padEnd(16)}${text}\n`),
      ...one.skips.map(
        ({ reason, count }) => `  ${count} without an answer: ${toPrintableLine(reason)}\n`,
      ),
    ].join(''),
  );
  return [
    `Since ${record.since.slice(0, 10)}: ${record.of} records${record.of > record.counted ? `, of which the newest ${record.counted} are counted` : ''}.\n`,
    `Mode: ${MODES[record.mode]} (${toPrintableLine(`${record.provider}, ${record.model}`)}).\n`,
    record.missing.length === 0
      ? 'Proven.\n'
      : `Not proven:\n${record.missing.map((text) => `  ${toPrintableLine(text)}\n`).join('')}`,
    ...blocks,
    ...(record.pauses.length === 0
      ? []
      : [
          `\n${color.bold('Paused, or would have been')}\n`,
          renderTable(
            ['JOB', 'PHASE', 'PAUSED', 'TURNED OUT', 'WHY'],
            record.pauses.map(({ jobId, phase, paused, outcome, flag }) =>
              [jobId, phase, paused ? 'yes' : 'no', describePhaseOutcome(outcome), flag].map(
                toPrintableLine,
              ),
            ),
            style,
          ),
        ]),
  ].join('');
}
