import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parseUntil } from '../../../src/jobs/terms/unattendedLimit.ts';

const test = suite('until when a job may work unattended');

const NOW = Date.parse('2026-11-20T18:00:00Z');

const TIMES: readonly (readonly [text: string, until: string])[] = [
  ['2026-11-23T08:00:00Z', '2026-11-23T08:00:00.000Z'],
  ['2026-11-23T08:00:00+01:00', '2026-11-23T07:00:00.000Z'],
  ['2026-11-23T08:00Z', '2026-11-23T08:00:00.000Z'],
  ['90m', '2026-11-20T19:30:00.000Z'],
  ['12h', '2026-11-21T06:00:00.000Z'],
  ['2d', '2026-11-22T18:00:00.000Z'],
  ['30d', '2026-12-20T18:00:00.000Z'],
];

for (const [text, until] of TIMES)
  test(`${text} is ${until} (JOB-16)`, () => {
    assert.equal(parseUntil(text, NOW), { until: Date.parse(until) });
  });

const PROBLEMS: readonly (readonly [text: string, problem: RegExp])[] = [
  ['2026-11-23T08:00:00', /^has no time zone; write a time such as 2026-/],
  ['2026-11-23', /^has no time zone/],
  ['2026-11-20T18:00:00Z', /^is in the past/],
  ['0h', /^is in the past/],
  ['2026-12-20T18:00:01Z', /^is more than 30 days away/],
  ['31d', /^is more than 30 days away/],
  ['2026-13-45T99:00:00Z', /^is not a time/],
  ['monday', /^is not a time; write .* a duration such as 12h or 2d/],
  ['12', /^is not a time/],
  ['', /^is not a time/],
];

for (const [text, problem] of PROBLEMS)
  test(`"${text}" ${problem.source}`, () => {
    const parsed = parseUntil(text, NOW);
    assert.match('problem' in parsed ? parsed.problem : '', problem);
  });

test.run();
