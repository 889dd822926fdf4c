import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { buildTransitionRows } from '../../../machines/job/buildTransitionRows.ts';
import type { JobEvent } from '../../../machines/job/jobEvents.ts';
import type { DurableEvent } from '../../../src/kernel/chart.ts';
import {
  CAMPAIGN_WORKFLOW,
  item,
  phase,
  SteppedJob,
  workflow,
} from '../../support/charts/jobSteps.ts';

const test = suite('job: transitions between phases, as they are counted');

/** A job that keeps its transitions as the store does: one of each kind for each visit. */
class CountedJob extends SteppedJob {
  readonly kept = new Map<string, string>();

  override sendNow(event: DurableEvent): boolean {
    const before = this.state;
    if (!super.sendNow(event)) return false;
    for (const change of buildTransitionRows(before, this.state, event as JobEvent)) {
      if (change.op !== 'put') continue;
      const { visit, kind, from_phase, to_phase, cause } = change.row;
      this.kept.set(`${visit} ${kind}`, `${from_phase} → ${to_phase}: ${cause}`);
    }
    return true;
  }

  get transitions(): string[] {
    return [...this.kept.values()];
  }
}

test('an approval, a finished phase, a merge and the end are one transition each (UI-3)', () => {
  const job = new CountedJob().run().end();
  job.approve();
  job.run().createPr(1);
  job.awaitEvent();
  job.end();
  job.prEvent('merged');
  job.run().end().end().end();
  assert.is(job.at, 'ended.complete');
  assert.equal(job.transitions, [
    'planning → coding: approved',
    'coding → pr-wait: finished',
    'pr-wait → testing: merged',
    'testing → evaluation: finished',
    'evaluation → reporting: finished',
    'reporting → (complete): finished',
  ]);
});

test('a rejection, a message and news of a pull request lead back to the phase whose agent reads them (UI-3)', () => {
  const job = new CountedJob().run().end();
  job.resume('reject', job.context.shown?.sha256);
  assert.is(job.at, 'queued');
  job.run().end().message();
  job.run().end();
  job.approve();
  job.run().createPr(1);
  job.awaitEvent();
  job.end();
  job.prEvent('changes_requested');
  job.run();
  assert.equal(job.transitions, [
    'planning → planning: rejected',
    'planning → planning: message',
    'planning → coding: approved',
    'coding → pr-wait: finished',
    'pr-wait → coding: news',
  ]);
});

test('goto_phase, the completion gate and a rerun are distinguished (UI-3)', () => {
  const job = new CountedJob(workflow([phase('work'), phase('check')])).run();
  job.end();
  job.goto('work');
  job.end();
  job.tool('set_work_items', { items: [item('a')] });
  job.end().end().end('error', 'broken');
  job.rerun('work');
  assert.equal(job.transitions, [
    'work → check: finished',
    'check → work: goto',
    'work → check: finished',
    'check → check: blocked',
    'check → (failed): ended',
    'check → work: rerun',
  ]);
});

test('ends are transitions too, one of a failed job apart from one of an escalated (UI-3)', () => {
  const failed = new CountedJob(workflow([phase('work')])).run().end('error', 'broken');
  assert.equal(failed.transitions, ['work → (failed): ended']);
  failed.resume();
  failed.run().tool('escalate', { message: 'help' });
  failed.end();
  assert.equal(failed.transitions, [
    'work → (failed): ended',
    'work → work: resumed',
    'work → (escalated): ended',
  ]);
});

test('what is chosen again before the next visit begins replaces what was chosen first (UI-3)', () => {
  const job = new CountedJob().run().end();
  job.approve();
  job.rerun('planning');
  job.run();
  assert.equal(job.transitions, ['planning → planning: rerun']);
});

test('a pause, an interruption and a quota are no transitions (UI-3)', () => {
  const job = new CountedJob(workflow([phase('work')])).run();
  job.pause();
  job.send({
    type: 'session.ended',
    visit: 1,
    session: 1,
    stopReason: 'cancelled',
    error: null,
    usage: null,
  });
  job.resume();
  job.run().end('quota');
  job.resume();
  job.run();
  assert.is(job.at, 'working.inSession');
  assert.equal(job.transitions, []);
});

test('the end of all sub-runs leads a campaign on (UI-3)', () => {
  const job = new CountedJob(CAMPAIGN_WORKFLOW).run();
  job.tool('register_sub_run', { name: 'a' });
  job.tool('finalize_sub_runs');
  job.end();
  assert.is(job.at, 'parked.subRuns');
  job.send({
    type: 'subRuns.settled',
    counts: {
      pending: 0,
      ready: 0,
      dispatched: 0,
      complete: 1,
      failed: 0,
      escalated: 0,
      skipped: 0,
    },
    failures: [],
    failed: 0,
  });
  assert.equal(job.transitions, [
    'planning → waiting: finished',
    'waiting → aggregating: sub-runs',
  ]);
});

test.run();
