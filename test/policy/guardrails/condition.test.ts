import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { parseCondition } from '../../../src/policy/guardrails/condition.ts';
import { opening, createSubject } from './subjects.ts';

const holds = (text: string, subject = createSubject()): boolean => {
  const parsed = parseCondition(text);
  if ('mistake' in parsed) throw new Error(parsed.mistake.message);
  return parsed.condition(subject);
};

const mistakeIn = (text: string) => {
  const parsed = parseCondition(text);
  return 'mistake' in parsed ? parsed.mistake : null;
};

const branch = opening(['src/a.ts', 'infra/main.tf'], { lines: 300 });

const TABLE: readonly [expression: string, expected: boolean][] = [
  ['tool == "create_pr"', true],
  ['diff.known && diff.lines > 200', true],
  ['diff.lines > 300', false],
  ['diff.paths.exists(p, path(p, "infra/**"))', true],
  ['diff.paths.exists(p, path(p, "*.md"))', false],
  ['like(args.head, "w*k")', true],
  ['has(args.draft)', false],
  ['pr.known', false],
  ['approvals.size() == 0', true],
  ['budget.capped && budget.usdLeft < 1.0', false],
  ['job.repository == "acme/shop" && phase == "code" && actor == "agent"', true],
];

for (const [expression, expected] of TABLE)
  test(`a condition sees what it is asked about: ${expression} (CFG-4)`, () => {
    assert.is(holds(expression, branch), expected);
  });

const WRONG: readonly [expression: string, at: number, says: RegExp][] = [
  ['tool ==', 7, /Unexpected token/],
  ['tool == "a" && nope', 15, /Unknown variable: nope/],
  ['diff.lnes > 3', 5, /No such key: lnes/],
  ['tool > 3', 0, /no such overload/],
  ['tool', 0, /gives string, not bool/],
  ['tool.matches("(a+)+$")', 0, /can take for ever/],
  ['diff.paths.exists(p, diff.paths.exists(q, q == p))', 21, /within another loop/],
];

for (const [expression, at, says] of WRONG) {
  test(`a wrong condition is refused where it is wrong: ${expression} (CFG-4)`, () => {
    assert.is(mistakeIn(expression)?.at, at);
  });
  test(`a wrong condition is refused with the reason: ${expression} (CFG-4)`, () => {
    assert.match(mistakeIn(expression)?.message ?? '', says);
  });
}

test('an argument that is missing is an error, not a no (CFG-4)', () => {
  assert.throws(() => holds('args.nope == 3'));
});

test.run();
