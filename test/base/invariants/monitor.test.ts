import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  allowsAct,
  listMissingClauses,
  NOTHING_HAPPENED,
  advanceMonitor,
} from '../../../src/base/invariants/monitor.ts';
import { uniteInvariants, type Invariant } from '../../../src/base/invariants/invariant.ts';
import { parseInvariant } from '../../../src/base/invariants/parseInvariant.ts';

const test = suite('rules about jobs: what they remember');

function rule(form: Record<string, unknown>): Invariant {
  const { invariant } = parseInvariant({ id: 'one', ...form });
  if (!invariant) throw new Error('the rule is wrong');
  return invariant;
}

const after = (one: Invariant, ...facts: string[]): number =>
  facts.reduce((monitor, fact) => advanceMonitor(one, monitor, fact), NOTHING_HAPPENED);

/** The rule, the act, the facts before it, and whether it may happen. */
const CASES: readonly [Record<string, unknown>, string, string[], boolean][] = [
  [{ never: 'merge' }, 'merge', ['approved(pr)', 'person'], false],
  [{ never: 'merge' }, 'push', [], true],
  [{ never: 'merge', unless: 'approved since push' }, 'merge', [], false],
  [{ never: 'merge', unless: 'approved since push' }, 'merge', ['push'], false],
  [{ never: 'merge', unless: 'approved since push' }, 'merge', ['push', 'approved(pr)'], true],
  [
    { never: 'merge', unless: 'approved since push' },
    'merge',
    ['push', 'approved(pr)', 'push'],
    false,
  ],
  [
    { never: 'merge', unless: 'approved since push' },
    'merge',
    ['push', 'approved(pr)', 'push', 'approved(pr)'],
    true,
  ],
  [{ before: 'coding', need: 'approved(planning)' }, 'phase(coding)', ['phase(planning)'], false],
  [{ before: 'coding', need: 'approved(planning)' }, 'phase(coding)', ['approved(planning)'], true],
  [{ before: 'coding', need: 'approved(planning)' }, 'phase(testing)', [], true],
  [{ never: 'push', unless: 'not merge' }, 'push', [], true],
  [{ never: 'push', unless: 'not merge' }, 'push', ['merge'], false],
  [{ never: 'push', unless: 'not merge since person' }, 'push', ['merge', 'person'], true],
  [{ never: 'complete', unless: 'person and merge' }, 'complete', ['person'], false],
  [{ never: 'complete', unless: 'person and merge' }, 'complete', ['person', 'merge'], true],
  [{ never: 'complete', unless: 'person or merge' }, 'complete', ['merge'], true],
  [{ never: 'complete', unless: 'push or person and merge' }, 'complete', ['merge'], false],
  [{ 'at-most': '2 visits of coding' }, 'phase(coding)', ['phase(coding)'], true],
  [{ 'at-most': '2 visits of coding' }, 'phase(coding)', ['phase(coding)', 'phase(coding)'], false],
  [{ 'only-in': ['merging'], tool: 'merge_pr' }, 'tool(merge_pr)', [], true],
  [{ 'only-in': ['coding'], tool: 'merge_pr' }, 'tool(merge_pr)', [], false],
];

for (const [form, act, facts, may] of CASES) {
  test(`${JSON.stringify(form)}: ${act} after ${facts.join(', ') || 'nothing'}: ${may}`, () => {
    const one = rule(form);
    assert.is(allowsAct(one, after(one, ...facts), act, 'merging'), may);
  });
}

test('what is missing is the shortest way', () => {
  const one = rule({ never: 'merge', unless: 'push and person or checks.green' });
  assert.equal(listMissingClauses(one, NOTHING_HAPPENED), [{ fact: 'checks.green' }]);
});

test('no list takes away what another one says, and no rule is kept twice', () => {
  const merge = rule({ never: 'merge', unless: 'approved since push' });
  const weaker = rule({ never: 'merge', unless: 'person' });
  assert.equal(uniteInvariants([merge], [weaker], undefined, [merge]), [merge, weaker]);
});

test.run();
