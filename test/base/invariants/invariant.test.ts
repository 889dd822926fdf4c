import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  toInvariantKey,
  MAX_FACTS,
  MAX_VISITS,
  listRulePhases,
  uniteInvariants,
  type Invariant,
} from '../../../src/base/invariants/invariant.ts';
import {
  allowsAct,
  listMissingClauses,
  advanceMonitor,
} from '../../../src/base/invariants/monitor.ts';
import { parseInvariant } from '../../../src/base/invariants/parseInvariant.ts';

const test = suite('rules about jobs: limits, phases, keys');

const catchProblem = (form: Record<string, unknown>): string =>
  parseInvariant({ id: 'one', ...form }).problems[0]?.message ?? '';

function rule(form: Record<string, unknown>): Invariant {
  const { invariant } = parseInvariant({ id: 'one', ...form });
  if (!invariant) throw new Error(catchProblem(form));
  return invariant;
}

const facts = (count: number): string => Array.from({ length: count }, () => 'person').join(' or ');

test('as many facts as the limit says, and no more', () => {
  assert.is(catchProblem({ never: 'merge', unless: facts(MAX_FACTS) }), '');
  assert.match(catchProblem({ never: 'merge', unless: facts(MAX_FACTS + 1) }), /more than 8 facts/);
});

test('as many visits as the limit says, and no more', () => {
  assert.is(catchProblem({ 'at-most': `${MAX_VISITS} visits of coding` }), '');
  assert.match(catchProblem({ 'at-most': `${MAX_VISITS + 1} visits of coding` }), /1 to 100/);
});

test('phases are named as workflows name them', () => {
  assert.match(catchProblem({ 'at-most': '2 visits of ../etc' }), /name of a phase/);
  assert.match(catchProblem({ 'only-in': ['a', '../b'], tool: 'merge_pr' }), /name of a phase/);
});

test('one phase needs no list', () => {
  assert.equal(listRulePhases(rule({ 'only-in': 'merging', tool: 'merge_pr' })), ['merging']);
});

test('an approval is no act', () => {
  assert.match(catchProblem({ never: 'approved(planning)' }), /which no agent does/);
});

test('nothing follows the fact after since', () => {
  assert.match(
    catchProblem({ never: 'merge', unless: 'approved since push twice' }),
    /not a condition/,
  );
});

test('every phase that a rule names is known', () => {
  assert.equal(listRulePhases(rule({ 'at-most': '2 visits of coding' })), ['coding']);
  const need = rule({ before: 'a', need: 'approved(b) since phase(c) and person' });
  assert.equal(listRulePhases(need), ['a', 'b', 'c']);
  assert.equal(listRulePhases(rule({ never: 'merge', unless: 'approved' })), []);
});

test('a call may be kept to several phases', () => {
  const only = rule({ 'only-in': ['a', 'b'], tool: 'merge_pr' });
  assert.ok(allowsAct(only, 0, 'tool(merge_pr)', 'b'));
});

test('the visits are counted up to the limit of the rule', () => {
  const two = rule({ 'at-most': '2 visits of coding' });
  assert.is(advanceMonitor(two, 2, 'phase(coding)'), 2);
});

test('what is missing is only what has not happened, of each list by itself', () => {
  const one = rule({ never: 'merge', unless: 'push and person and merge or complete and person' });
  const after = ['push', 'complete'].reduce((bits, fact) => advanceMonitor(one, bits, fact), 0);
  assert.equal(listMissingClauses(one, after), [{ fact: 'person' }]);
  assert.equal(
    listMissingClauses(one, advanceMonitor(one, advanceMonitor(one, 0, 'person'), 'merge')),
    [{ fact: 'push' }],
  );
  assert.equal(listMissingClauses(rule({ 'at-most': '2 visits of coding' }), 2), []);
});

test('a list counts its own facts, however many the lists before it have', () => {
  const one = rule({ never: 'merge', unless: 'push or person and complete' });
  const after = ['person', 'complete'].reduce((bits, fact) => advanceMonitor(one, bits, fact), 0);
  assert.equal(listMissingClauses(one, after), []);
});

test('rules with another id are other rules; of equal ones the first stays', () => {
  const one = rule({ never: 'merge' });
  const two: Invariant = { ...one, id: 'two' };
  assert.is.not(toInvariantKey(one), toInvariantKey(two));
  assert.equal(uniteInvariants([one], [{ ...one, from: 'tenant' }]), [one]);
});

test.run();
