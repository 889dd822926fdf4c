import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { item, phase, SteppedJob, workflow } from '../../support/charts/jobSteps.ts';

const test = suite('job: loops without progress');

const LOOP = workflow([phase('coding'), phase('review'), phase('done')]);

const startJob = (): SteppedJob => new SteppedJob(LOOP).run();

/** The session ends with these files, and the job continues with the phase. */
const visitTwice = (
  job: SteppedJob,
  target: string | null,
  work = 'same',
  failing?: string,
): SteppedJob => {
  if (target !== null) job.goto(target);
  return job.end('end_turn', null, {
    work,
    ...(failing === undefined ? {} : { failing: { hash: failing, count: 1, first: failing } }),
  });
};

const loopOnce = (job: SteppedJob): SteppedJob => visitTwice(visitTwice(job, null), 'coding');

test('a loop without any change is warned about at the second loop (JOB-16)', () => {
  const job = loopOnce(startJob());
  assert.is(job.effect('session.open')?.prompt, null);
  visitTwice(job, null);
  assert.is(
    job.effect('session.open')?.prompt,
    '[process note] No progress: the job has repeated these phases 2 times (coding → review → coding) and nothing has changed: the same files, pull requests, work items and parameters. Do something else than before, and close the work items that are done; where you cannot continue, call escalate. The job is parked for a person when it comes to 3.',
  );
});

test('at the third loop it parks for a developer, and says which phases it repeats (JOB-16)', () => {
  const job = visitTwice(loopOnce(loopOnce(startJob())), null);
  assert.is(job.at, 'parked.developer');
  assert.equal(job.context.parked?.circle, {
    rule: 'state',
    times: 3,
    phases: ['review', 'coding'],
  });
  assert.match(
    job.context.parked?.reason ?? '',
    /^no progress: the job has repeated these phases 3 times/,
  );
  assert.is(job.rows('phase_visits').at(-1)?.outcome, 'no-progress');
});

test('resume takes the step that the agent asked for, and counts from zero', () => {
  const job = visitTwice(loopOnce(loopOnce(startJob())), null);
  job.resume();
  job.run();
  assert.is(job.context.phase, 'review');
  assert.is(job.context.parked, null);
  loopOnce(visitTwice(job, 'coding'));
  assert.is(job.at, 'working.inSession', 'two more loops are not enough');
});

test('a message runs the phase again with it, and counts from zero', () => {
  const job = visitTwice(loopOnce(loopOnce(startJob())), null);
  job.message('try the other way');
  job.run();
  assert.is(job.context.phase, 'coding');
  assert.equal(job.context.progress?.marks, []);
});

test('what changes is progress: files, artefacts, insights, parameters, work items', () => {
  const changes: ((job: SteppedJob, n: number) => unknown)[] = [
    (job, n) => visitTwice(job, null, `files ${n}`),
    (job, n) => {
      const rest = { id: `a-${n}`, title: 't', mime: 'text/plain', size: 1 };
      job.tool('post_artifact', { ...rest, kind: 'note', sha256: `sha-${n}` });
      visitTwice(job, null);
    },
    (job, n) => {
      job.tool('add_insight', { id: `i-${n}`, category: 'pitfall', text: `it is ${n}` });
      visitTwice(job, null);
    },
    (job, n) => {
      job.tool('set_job_params', { params: { round: n } });
      visitTwice(job, null);
    },
    (job, n) => {
      job.tool('set_work_items', { items: [item(`item-${n}`)] });
      visitTwice(job, null);
    },
  ];
  for (const change of changes) {
    const job = startJob();
    for (let n = 1; n <= 6; n++) {
      change(job, n);
      visitTwice(job, 'coding', `review ${n}`);
    }
    assert.is(job.at, 'working.inSession');
  }
});

test('the same artefact again is no progress', () => {
  const job = startJob();
  for (let n = 1; n <= 3; n++) {
    const rest = { id: `a-${n}`, title: 't', mime: 'text/plain', size: 1 };
    job.tool('post_artifact', { ...rest, kind: 'note', sha256: 'same' });
    visitTwice(job, null);
    if (n < 3) visitTwice(job, 'coding');
  }
  assert.is(job.at, 'parked.developer');
});

test('ten work items that are closed in sequence through the same phases are no loop', () => {
  const job = startJob();
  const items = (closed: number) =>
    Array.from({ length: 10 }, (_, n) => item(`i-${n}`, n < closed ? 'complete' : 'pending'));
  for (let n = 0; n < 10; n++) {
    visitTwice(job, null);
    job.tool('set_work_items', { items: items(n + 1) });
    visitTwice(job, 'coding');
  }
  assert.is(job.at, 'working.inSession');
});

test('where the files are not known, nothing is counted', () => {
  const job = startJob();
  for (let n = 0; n < 6; n++) {
    job.end();
    job.goto('coding');
    job.end();
  }
  assert.is(job.at, 'working.inSession');
  assert.is(job.context.progress, undefined);
});

test('the same failing tests at the end of a phase: warned at 2, parked at 4, whatever else changes', () => {
  const job = startJob();
  for (let n = 1; n <= 3; n++) {
    visitTwice(job, null, `files ${n}`, 'shop.test.ts');
    const prompt = job.effect('session.open')?.prompt ?? null;
    if (n === 2)
      assert.match(String(prompt), /phase coding has ended 2 times with the same failing/);
    else assert.is(prompt, null);
    visitTwice(job, 'coding', `review ${n}`);
  }
  visitTwice(job, null, 'files 4', 'shop.test.ts');
  assert.is(job.at, 'parked.developer');
  assert.equal(job.context.parked?.circle, {
    rule: 'tests',
    times: 4,
    phases: ['review', 'coding'],
    what: 'shop.test.ts',
  });
});

test('other failing tests are counted for themselves', () => {
  const job = startJob();
  for (let n = 1; n <= 6; n++) {
    visitTwice(job, null, `files ${n}`, `test ${n % 2 === 0 ? 'a' : n}`);
    visitTwice(job, 'coding', `review ${n}`);
    if (job.at !== 'working.inSession') break;
  }
  assert.is(job.at, 'working.inSession');
});

/** A job with a pull request that awaits its events. */
const awaiting = (): SteppedJob => {
  const job = startJob();
  job.createPr(1);
  job.awaitEvent();
  return visitTwice(job, null);
};

const wakeAndEnd = (job: SteppedJob, work = 'same'): SteppedJob => {
  job.prEvent('check_failed');
  job.run();
  job.awaitEvent();
  return visitTwice(job, null, work);
};

test('an event that wakes it again and again without effect: warned at 2, parked at 4 (JOB-16)', () => {
  const job = awaiting();
  for (let n = 1; n <= 3; n++) {
    wakeAndEnd(job);
    assert.is(job.at, 'parked.event');
  }
  wakeAndEnd(job);
  assert.is(job.at, 'parked.developer');
  assert.equal(job.context.parked?.circle, {
    rule: 'wakes',
    times: 4,
    phases: ['coding'],
    what: 'check_failed on local:shop#1',
  });
  job.resume();
  assert.is(job.at, 'parked.event', 'it waits again');
});

test('the warning about wakes without effect reaches the session that is woken next', () => {
  const job = wakeAndEnd(wakeAndEnd(awaiting()));
  job.prEvent('check_failed');
  job.run();
  assert.match(
    String(job.effect('session.open')?.prompt),
    /^\[process note\] No progress: check_failed on local:shop#1 has woken the job 2 times/,
  );
});

test('wakes that lead to changes are no loop', () => {
  const job = awaiting();
  for (let n = 1; n <= 8; n++) wakeAndEnd(job, `files ${n}`);
  assert.is(job.at, 'parked.event');
});

test('six review comments that are answered without a change are no loop', () => {
  const job = awaiting();
  for (let n = 1; n <= 6; n++) {
    job.prEvent('commented', 1, `question ${n}`);
    job.run();
    job.awaitEvent();
    visitTwice(job, null);
  }
  assert.is(job.at, 'parked.event');
});

test('a phase that a person has run again and again is no loop', () => {
  const job = awaiting();
  for (let n = 1; n <= 6; n++) {
    job.rerun('coding');
    job.run();
    job.awaitEvent();
    visitTwice(job, null);
  }
  assert.is(job.at, 'parked.event');
});

test('a message while it is parked on wakes without effect wakes the phase that awaited', () => {
  const job = awaiting();
  for (let n = 1; n <= 4; n++) wakeAndEnd(job);
  job.message('leave it red');
  job.run();
  assert.is(job.at, 'working.inSession');
  assert.is(job.context.phase, 'coding');
});

test('the completion gate counts its own blocks: no rule comes before its last one', () => {
  const job = startJob();
  job.tool('set_work_items', { items: [item('a')] });
  visitTwice(visitTwice(job, null), null);
  for (let n = 1; n <= 4; n++) {
    visitTwice(job, null, 'same', 'shop.test.ts');
    assert.is(job.at, 'working.inSession');
  }
  visitTwice(job, null);
  assert.is(job.at, 'ended.failed');
});

test('a rule that is turned off neither warns nor parks', () => {
  const off = { warn: 0, park: 0 };
  const progress = { state: off, tests: off, wakes: off };
  const job = new SteppedJob(LOOP, {
    limits: { gateBlocks: 5, sessionsPerVisit: 10, progress },
  }).run();
  for (let n = 0; n < 5; n++) loopOnce(job);
  assert.is(job.at, 'working.inSession');
  assert.is(job.effect('session.open')?.prompt, null);
});

/** In the middle of its second loop: one more and one after that would park it. */
const nearly = (): SteppedJob => {
  const job = startJob();
  job.createPr(1);
  job.createPr(2);
  job.tool('set_work_items', { items: [item('a'), item('b')] });
  return loopOnce(loopOnce(job));
};

/** What sets the loops to zero while a session runs. */
const RESETS: readonly (readonly [what: string, go: (job: SteppedJob) => unknown])[] = [
  ['a message', (job) => job.message('try the other way')],
  ['a comment of a person', (job) => job.prEvent('commented', 1, 'why?')],
  ['a thread of a review', (job) => job.prEvent('review_thread', 1, 'here')],
  ['a review that asks for changes', (job) => job.prEvent('changes_requested', 1, 'no')],
  ['an approval', (job) => job.prEvent('approved')],
  ['a merge', (job) => job.prEvent('merged')],
  ['a pull request that is closed', (job) => job.prEvent('closed')],
  [
    'a work item that is complete',
    (job) => job.tool('set_work_items', { items: [item('a', 'complete'), item('b')] }),
  ],
  [
    'a work item that is escalated',
    (job) => job.tool('update_work_item', { id: 'a', status: 'escalated' }),
  ],
  [
    'pause and resume',
    (job) => {
      job.pause();
      job.end('interrupted');
      job.resume();
      job.run();
    },
  ],
  [
    'a phase that a person runs again',
    (job) => {
      job.pause();
      job.end('interrupted');
      assert.ok(job.rerun('coding'));
      job.run();
    },
  ],
];

for (const [what, go] of RESETS)
  test(`the loops begin again with ${what} (JOB-16)`, () => {
    const job = nearly();
    assert.ok((job.context.progress?.marks.length ?? 0) > 0);
    go(job);
    assert.equal(job.context.progress?.marks, []);
    assert.is(job.at, 'working.inSession');
  });

for (const kind of ['check_failed', 'conflict'] as const)
  test(`${kind} is no word of a person: the loops count on`, () => {
    const job = nearly();
    const { marks } = job.context.progress ?? {};
    job.prEvent(kind);
    assert.equal(job.context.progress?.marks, marks);
  });

test('a work item that only begins is no progress', () => {
  const job = nearly();
  job.tool('set_work_items', { items: [item('a', 'in-progress'), item('b')] });
  assert.ok((job.context.progress?.marks.length ?? 0) > 0);
});

test('what the rules keep is bounded', () => {
  const job = startJob();
  for (let n = 0; n < 60; n++)
    visitTwice(visitTwice(job, null, `files ${n}`), 'coding', `review ${n}`);
  assert.is(job.context.progress?.marks.length, 40);
});

for (const sets of [['a'], ['a', 'b'], ['a', 'b', 'c']])
  test(`${sets.length} sets of failing tests in turn are no progress, however much changes (JOB-16)`, () => {
    const job = startJob();
    let loops = 0;
    while (job.at === 'working.inSession' && loops < 20) {
      visitTwice(job, null, `coded ${loops}`);
      visitTwice(job, 'coding', `coded ${loops}`, sets[loops % sets.length]);
      loops += 1;
    }
    assert.equal(job.context.parked?.circle?.rule, 'tests');
    assert.is(loops, 3 * sets.length + 1, 'the fourth time that the first set fails');
  });

test.run();
