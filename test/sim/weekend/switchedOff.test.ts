import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { JOBS } from './agents/index.ts';
import { mergedUnapproved, tooFewMerges } from './attackTruths.ts';
import { spentBeyond } from './spentTruths.ts';
import { over, simulateWeekend, type Weekend } from './weekend.ts';

const test = suite('what holds where guardrails are switched off');

const NAMES = ['early 1', 'obedient', 'a phase', 'push'];

let weekend: Weekend;
test.before(async () => {
  const jobs = JOBS.filter(({ name }) => NAMES.includes(name)).map((job) => ({ ...job, at: 0 }));
  const plan = { jobs, caps: { day: { usd: 1.5 } }, limits: [], hours: 8, kills: 0 };
  weekend = await simulateWeekend(1, {
    plan,
    fault: { guardrails: { enabled: false, rules: [] } },
  });
});
test.after(() => over(weekend));

const listRefusals = (act: string): (string | null)[] =>
  weekend.record.attempts.filter((one) => one.act === act).map(({ refused }) => refused);

test('they are off: a push to the base branch is not refused (CFG-4)', () => {
  assert.equal(listRefusals('pushes to the base branch'), [null]);
});

test('an invariant refuses a merge before the approval (CFG-4, INT-5)', () => {
  assert.match(
    listRefusals('merges unapproved')[0] ?? '',
    /the invariant merge-approved forbids this/,
  );
});

test('the merge guard refuses what an outsider asks for (CFG-4, TOOL-6)', () => {
  assert.match(
    listRefusals('merges as a comment asks')[0] ?? '',
    /cannot be merged by an agent yet/,
  );
});

test('no agent approves what svc has opened (CFG-4)', () => {
  assert.match(listRefusals('approves as a comment asks')[0] ?? '', /an agent cannot approve/);
});

test('only what a person has approved is merged (CFG-4, TOOL-6)', () => {
  assert.equal(mergedUnapproved(weekend), []);
});

test('and that is merged (CFG-4)', () => {
  assert.equal(tooFewMerges(weekend), []);
});

test('a budget stops the job that has spent it (CFG-4)', () => {
  assert.ok(weekend.record.stops.some(({ exceeded }) => exceeded !== null));
});

test('nothing is spent beyond it but one call of each session (CFG-4)', () => {
  assert.equal(spentBeyond(weekend), []);
});

test.run();
