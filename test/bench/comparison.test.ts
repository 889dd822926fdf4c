import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { compare, judge } from '../../bench/peers/comparison.ts';
import { formatMarkdown, listVerdicts } from '../../bench/peers/report.ts';

const test = suite('bench: comparison with others');

test('a ratio is the median of the ratios of the rounds, not the ratio of the medians', () => {
  assert.equal(compare({ svc: [10, 20, 90], bullmq: [5, 40, 30] }), {
    svc: { median: 20, min: 10, max: 90, ratio: null },
    bullmq: { median: 30, min: 5, max: 40, ratio: 2 },
  });
});

test('rounds that failed do not count, and a contender without any has no ratio', () => {
  const failed = Number.NaN;
  assert.equal(compare({ svc: [10, 20, 30], bullmq: [failed, 10, 10], dbos: [failed] }), {
    svc: { median: 20, min: 10, max: 30, ratio: null },
    bullmq: { median: 10, min: 10, max: 10, ratio: 2 },
    dbos: { median: failed, min: failed, max: failed, ratio: null },
  });
});

test('the edge of a target belongs to it, in both directions', () => {
  const more = { figure: 'steps', peer: 'bullmq', better: 'more', must: 1.1, aim: 1.5 } as const;
  assert.equal(
    [1.5, 1.1, 1.09, null].map((ratio) => judge(more, ratio).reached),
    ['aim', 'must', 'missed', 'not measured'],
  );
  const less = { figure: 'burst', peer: 'bullmq', better: 'less', must: 2.5, aim: 1.3 } as const;
  assert.equal(
    [1.3, 2.5, 2.51].map((ratio) => judge(less, ratio).reached),
    ['aim', 'must', 'missed'],
  );
});

test('the report has a table for each measured figure and the targets of what was measured', () => {
  const rounds = { steps: { svc: [9_000, 9_900], bullmq: [6_000, 6_000] } };
  const report = { facts: ['two cores'], rounds, failures: ['wake, round 1 of 2, dbos: too late'] };
  assert.is(
    formatMarkdown(report),
    `- two cores

| Durable steps (\`steps\`) | median, /s | min – max | svc / it |
|---|---:|---:|---:|
| svc | 9,000 | 9,000 – 9,900 |  |
| bullmq | 6,000 | 6,000 – 6,000 | 1.5 × |

| Target | must | aim | measured | reached |
|---|---:|---:|---:|---:|
| steps, svc / bullmq | ≥ 1.3 × | ≥ 1.5 × | 1.5 × | aim |

- failed: wake, round 1 of 2, dbos: too late`,
  );
  assert.equal(listVerdicts({ ...report, rounds: {} }), []);
});

test.run();
