import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  toIsoNanoseconds,
  type TimeWords,
  resolveTimeRange,
} from '../../../src/providers/observability/timeRange.ts';
import { catchRefusal } from '../../support/refusal.ts';

const test = suite('observability: time ranges');

const NOW = Date.UTC(2026, 0, 31, 12, 0, 0);

const formatRange = (words: TimeWords): string[] => {
  const { start, end } = resolveTimeRange(words, NOW);
  return [toIsoNanoseconds(start), toIsoNanoseconds(end)];
};

test('relative and absolute times mean what people mean by them (TOOL-7)', () => {
  const noon = '2026-01-31T12:00:00.000Z';
  const table: [TimeWords, [string, string]][] = [
    [{}, ['2026-01-31T11:00:00.000Z', noon]],
    [{ since: '1h' }, ['2026-01-31T11:00:00.000Z', noon]],
    [{ since: '90s' }, ['2026-01-31T11:58:30.000Z', noon]],
    [{ since: '2d', end: 'now-1d' }, ['2026-01-28T12:00:00.000Z', '2026-01-30T12:00:00.000Z']],
    [{ since: '1w' }, ['2026-01-24T12:00:00.000Z', noon]],
    [{ start: 'now-30m', end: 'now' }, ['2026-01-31T11:30:00.000Z', noon]],
    [
      { start: '2026-01-31', end: '2026-01-31T06:00:00+02:00' },
      ['2026-01-31T00:00:00.000Z', '2026-01-31T04:00:00.000Z'],
    ],
    [{ start: '1769860800', end: '1769860800123' }, [noon, '2026-01-31T12:00:00.123Z']],
    [
      { start: '1769860800000001', end: '1769860800000001234' },
      ['2026-01-31T12:00:00.000001000Z', '2026-01-31T12:00:00.000001234Z'],
    ],
  ];
  for (const [words, expected] of table)
    assert.equal(formatRange(words), expected, JSON.stringify(words));
});

test('what is not a time is refused with how to write it', async () => {
  const table: [TimeWords, RegExp][] = [
    [
      { since: 'yesterday' },
      /^since "yesterday" is not a duration: give a number and ms, s, m, h, d or w/,
    ],
    [{ since: '-1h' }, /^since "-1h" is not a duration/],
    [{ start: '2026-01-31T12:00:00' }, /^start .* is not a time: give 2026-01-31T12:00:00Z/],
    [{ start: '12345' }, /^start "12345" is not a time/],
    [{ end: 'now+1h' }, /^end "now\+1h" is not a time/],
    [{ since: '1h', start: 'now-2h' }, /^Give since or start, not both/],
    [
      { start: 'now', end: 'now-1h' },
      /^The time range is empty: it begins at 2026-01-31T12:00:00.000Z and ends at 2026-01-31T11/,
    ],
  ];
  for (const [words, message] of table) {
    const { code, message: text } = await catchRefusal(async () => resolveTimeRange(words, NOW));
    assert.is(code, 'bad-argument');
    assert.match(text, message);
  }
});

test.run();
