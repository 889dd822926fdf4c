import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { formatRule } from '../../../src/base/invariants/invariant.ts';
import { parseInvariant } from '../../../src/base/invariants/parseInvariant.ts';

const test = suite('rules about jobs: how they are written');

const FORMS: readonly [Record<string, unknown>, string][] = [
  [
    { never: 'merge', unless: 'approved since push' },
    'never merge, unless approved(pr) since push',
  ],
  [{ never: 'merge' }, 'never merge'],
  [
    { never: 'complete', unless: 'once checks.green since push' },
    'never complete, unless checks.green since push',
  ],
  [
    { before: 'coding', need: 'approved(planning)' },
    'never phase(coding), unless approved(planning)',
  ],
  [{ 'at-most': '3 visits of coding' }, 'at most 3 visits of coding'],
  [{ 'only-in': ['awaiting-merge'], tool: 'scm_merge_pr' }, 'merge_pr only in awaiting-merge'],
  [
    { never: 'push', unless: 'person and not merge or phase(coding) since person' },
    'never push, unless person and not merge or phase(coding) since person',
  ],
];

for (const [form, text] of FORMS) {
  test(`${JSON.stringify(form)} is read`, () => {
    const { invariant, problems } = parseInvariant({ id: 'one', ...form });
    assert.equal([invariant && formatRule(invariant), problems], [text, []]);
  });
}

const MISTAKES: readonly [unknown, string | null, RegExp][] = [
  ['never merge', null, /must be a map/],
  [{ never: 'merge' }, null, /needs an id/],
  [{ id: 'One', never: 'merge' }, 'id', /lowercase/],
  [{ id: 'one' }, null, /exactly one of/],
  [{ id: 'one', never: 'merge', before: 'coding' }, null, /exactly one of/],
  [{ id: 'one', never: 'merg' }, 'never', /"merg", which no agent does/],
  [{ id: 'one', never: 'merge', unless: 'aproved since push' }, 'unless', /"aproved"/],
  [{ id: 'one', never: 'merge', unless: 'approved until push' }, 'unless', /not a condition/],
  [{ id: 'one', never: 'merge', unless: 'push since push' }, 'unless', /two different facts/],
  [{ id: 'one', never: 'merge', unless: '' }, 'unless', /must be a condition/],
  [{ id: 'one', never: 'merge', need: 'person' }, 'need', /does not go with never/],
  [{ id: 'one', before: 'coding' }, 'need', /must be a condition/],
  [{ id: 'one', 'at-most': '0 visits of coding' }, 'at-most', /1 to 100/],
  [{ id: 'one', 'at-most': 'three' }, 'at-most', /3 visits of coding/],
  [{ id: 'one', 'only-in': [], tool: 'merge_pr' }, 'only-in', /at least one phase/],
  [{ id: 'one', 'only-in': ['a'], tool: 'shell' }, 'tool', /not a call that the job takes/],
  [{ id: 'one', never: 'merge', unles: 'person' }, 'unles', /not a key/],
];

for (const [input, key, says] of MISTAKES) {
  test(`${JSON.stringify(input)} is refused with its place`, () => {
    const { invariant, problems } = parseInvariant(input);
    assert.is(invariant, null);
    assert.is(problems[0]?.key, key);
    assert.match(problems[0]?.message ?? '', says);
  });
}

test('an unknown word brings the known ones', () => {
  const { problems } = parseInvariant({ id: 'one', never: 'complete', unless: 'tests.passed' });
  assert.ok(problems[0]?.word?.known.includes('checks.green'));
});

test.run();
