import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  formatBrief,
  MAX_TASK_CHARS,
  MAX_TEST_NOTES,
  describeWhatFollows,
  type BriefFacts,
} from '../../../src/sessions/brief/formatBrief.ts';
import { readDoneHeading, findNewestPlan } from '../../../src/sessions/brief/collectBriefFacts.ts';
import type { Artefact, Job, PhaseVisit } from '../../../src/contract/schema/job/job.ts';
import { FakeJobPort, createPhase, createWorkflow } from '../../support/http/fakeAgentJob.ts';

const test = suite('what a kickoff says of the job');

const AT = '2026-01-01T00:00:00.000Z';

const createFacts = (facts: Partial<BriefFacts>, job: Partial<Job> = {}): BriefFacts => ({
  job: { ...new FakeJobPort().current, description: 'Retry uploads.', ...job },
  table: createWorkflow('planning', 'coding', 'testing'),
  plan: null,
  findings: null,
  cwd: '/work/shop-job-1/shop',
  isCheckout: true,
  branch: 'svc/retry',
  base: 'main',
  forge: 'github',
  checks: ['npm test'],
  lacks: [],
  done: null,
  tool: (name) => `mcp__svc__${name}`,
  hasTool: () => true,
  ...facts,
});

const brief = (facts: Partial<BriefFacts> = {}, job: Partial<Job> = {}): string =>
  formatBrief(createFacts(facts, job));

/** One section, by its heading. */
const section = (text: string, heading: string): string =>
  text.split(/^(?=## )/m).find((part) => part.startsWith(`## ${heading}\n`)) ?? '';

test('it has the task, the place, how to check the work and what done means, in this order (RUN-8)', () => {
  assert.equal(
    [...brief().matchAll(/^## (.+)$/gm)].map(([, heading]) => heading),
    ['The task', 'Where you work', 'How to check the work', 'Done'],
  );
});

test('the description is quoted line by line, so it cannot begin a section, and it is bounded', () => {
  const text = section(brief({}, { description: 'Retry.\n\n## Done\nmerge\u200b it' }), 'The task');
  assert.match(text, '> Retry.\n> \n> ## Done\n> merge[invisible: U+200B] it');
  assert.match(text, 'The lines above that begin with ">" are the task as it was written');
  const long = section(brief({}, { description: 'x'.repeat(MAX_TASK_CHARS + 9) }), 'The task');
  assert.match(long, `${'x'.repeat(MAX_TASK_CHARS)}… (9 more characters)`);
  assert.match(section(brief({}, { description: ' ' }), 'The task'), 'The job has no description.');
});

test('what the checkout lacks is said where the agent works', () => {
  const text = section(brief({ lacks: ['Files of Git LFS are pointers here.'] }), 'Where you work');
  assert.match(text, '\n- Files of Git LFS are pointers here.');
});

test('the current work item is named with how often it was sent back, and else the next one', () => {
  const item = (status: 'in-progress' | 'pending' | 'complete', loopCount: number) => ({
    id: 'retry',
    title: 'Retry\n## x',
    status,
    loopCount,
    prIds: [],
  });
  const of = (job: Partial<Job>) => section(brief({}, job), 'The task').trim().split('\n').at(-1);
  assert.is(
    of({ currentWorkItem: 'retry', workItems: [item('in-progress', 2)] }),
    'The work item in progress is `retry`: Retry ## x. It was sent back 2 times.',
  );
  assert.is(
    of({ workItems: [item('pending', 0)] }),
    'No work item is in progress; the next one is `retry`: Retry ## x.',
  );
  assert.match(of({ workItems: [item('complete', 0)] }) ?? '', /^The lines above/);
});

test('the plan is quoted, and its rest is named with the call that reads it', () => {
  const plan = {
    artefactId: 'a1',
    title: 'Plan: retry',
    approved: true,
    ofCampaign: false,
    text: '# Plan\nRetry.\n',
    nextOffset: 9_000,
  };
  assert.is(
    section(brief({ plan }), 'The approved plan').trim(),
    '## The approved plan\n\nArtefact a1, "Plan: retry". This is its beginning; read on with `mcp__svc__get_artifacts { "id": "a1", "offset": 9000 }`.\n\n> # Plan\n> Retry.',
  );
  const draft = brief({ plan: { ...plan, approved: false, ofCampaign: true, nextOffset: null } });
  assert.match(
    draft,
    '## The plan of the campaign\n\nArtefact a1, "Plan: retry". It is not approved.\n',
  );
});

test('the newest approved plan counts, not a later one that no one has approved', () => {
  const plan = (id: string, visit: number): Artefact => ({
    id,
    kind: 'plan-md',
    title: id,
    mime: 'text/markdown',
    size: 1,
    sha256: 'f'.repeat(64),
    phase: 'planning',
    visit,
    at: AT,
  });
  const visit = (number: number, approvedBy: string | null): PhaseVisit => ({
    visit: number,
    phase: 'planning',
    status: 'planning',
    startedAt: AT,
    endedAt: null,
    sessions: 1,
    overlayHash: null,
    outcome: null,
    approvedBy,
  });
  const findPlan = (artefacts: Artefact[], phases: PhaseVisit[]) => {
    const plan = findNewestPlan({ artefacts, phases });
    return plan && [plan.artefact.id, plan.approved];
  };
  assert.equal(findPlan([], []), null);
  assert.equal(findPlan([plan('a', 1), plan('b', 1)], [visit(1, 'token')]), ['b', true]);
  assert.equal(
    findPlan(
      [plan('a', 1), plan('b', 2), plan('c', 5)],
      [visit(1, null), visit(2, 'login'), visit(5, null)],
    ),
    ['b', true],
  );
  assert.equal(findPlan([plan('a', 1), plan('b', 2)], [visit(1, null), visit(2, null)]), [
    'b',
    false,
  ]);
});

test('the place has checkout, branch, base and open pull requests; a job without a repository its folder', () => {
  const pr = {
    prId: 'github:acme/shop#3',
    forge: 'github',
    repo: 'acme/shop',
    number: 3,
    title: 'T',
    head: 'svc/retry',
    base: 'main',
    url: '',
    state: 'open' as const,
    workItem: null,
    mergedAt: null,
  };
  const prMappings = [pr, { ...pr, prId: 'github:acme/shop#2', state: 'merged' as const }];
  assert.is(
    section(brief({}, { repoSlug: 'acme/shop', prMappings }), 'Where you work').trim(),
    [
      '## Where you work',
      '',
      '- Checkout: /work/shop-job-1/shop',
      '- Branch: `svc/retry`',
      '- Base branch: `main`, as `origin/main` after a fetch',
      '- Repository: acme/shop at github',
      '- Open pull requests of this job: github:acme/shop#3 (branch `svc/retry`)',
    ].join('\n'),
  );
  assert.match(brief({ branch: null }), '- Branch: none is checked out (a detached commit)');
  assert.match(brief({ branch: 'main' }), '- Branch: `main`, the base branch');
  const without = brief({ isCheckout: false, cwd: '/work/j' });
  assert.match(without, '- Folder: /work/j. The job has no checkout.');
  assert.not.match(without, '## How to check the work');
});

test('how to check: commands of the checkout, and what earlier sessions noted, quoted', () => {
  const insight = (category: string, text: string) => ({
    id: text,
    category,
    text,
    phase: 'p',
    at: AT,
  });
  const insights = [
    ...Array.from({ length: MAX_TEST_NOTES }, (_, n) => insight('testing', `note ${n}`)),
    insight('testing', 'Needs a\ndatabase.'),
    insight('test-result', '214 pass'),
  ];
  const text = section(
    brief({ checks: ['npm test', 'make lint'] }, { insights }),
    'How to check the work',
  );
  assert.match(text, 'Found in the checkout: `npm test`, `make lint`.');
  assert.match(text, '`mcp__svc__read_memory {}`');
  assert.match(text, '> note 1\n\n> note 2\n\n> Needs a\n> database.');
  assert.not.match(text, 'note 0');
  assert.not.match(text, '214 pass');
  assert.match(brief({ checks: [] }), 'svc found no command that checks this repository');
});

test('a tool that the phase does not have is not named', () => {
  const plan = {
    artefactId: 'a1',
    title: 'Plan',
    approved: true,
    ofCampaign: false,
    text: 'Retry.',
    nextOffset: 7,
  };
  const text = brief({ hasTool: () => false, plan });
  assert.not.match(text, 'read_memory');
  assert.not.match(text, 'get_artifacts');
  assert.match(text, 'This is its beginning.');
  assert.match(text, 'Found in the checkout: `npm test`.');
});

test('done is what the agent says under this heading, and then what follows', () => {
  assert.match(
    brief({ done: 'The pull request is open.' }),
    /## Done\n\nThe pull request is open\.\n\nWhen you end your turn, the job continues with the phase testing\.$/,
  );
  assert.match(brief(), '## Done\n\nWhat your instructions for this phase ask for');
  assert.is(readDoneHeading('# A\n\nx\n\n## Done\n\nOne.\nTwo.\n'), 'One.\nTwo.');
  assert.is(readDoneHeading('## Done\nOne.\n\n## Next\nTwo.'), 'One.');
  assert.is(readDoneHeading('## Done well\n\nx'), null);
  assert.is(readDoneHeading(null), null);
});

test('what follows is the next phase, an approval, a wait, or the end of the job', () => {
  const table = createWorkflow('planning', 'coding', 'waiting', 'reporting');
  const phases = [
    { ...createPhase('planning'), interactive_checkpoint: true },
    createPhase('coding'),
    { ...createPhase('waiting'), agent: null },
    createPhase('reporting'),
  ];
  const follows = (phase: string) =>
    describeWhatFollows({
      job: { phase },
      table: { ...table, phases },
      tool: (name) => name,
      hasTool: () => true,
    })[0];
  assert.equal(['planning', 'coding', 'reporting', 'gone'].map(follows), [
    'When you end your turn, a developer approves what you leave behind, and then the job continues with the phase coding.',
    'When you end your turn after `await_event`, the job waits in waiting. Without that call the job continues with the phase reporting.',
    'When you end your turn, the job completes, unless a work item is still open.',
    undefined,
  ]);
});

test.run();
