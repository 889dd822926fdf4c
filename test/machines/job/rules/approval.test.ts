import { createHash } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { JobContext } from '../../../../machines/index.ts';
import {
  collectApprovalContent,
  hashApprovalContent,
  findApprovalProblems,
  mustNameVersion,
  addSpecToHash,
} from '../../../../machines/job/rules/approval.ts';
import { rememberFirstVersion } from '../../../../machines/job/rules/checkpoints.ts';
import { sha256 } from '../../../../machines/job/rules/sha256.ts';
import {
  CAMPAIGN_WORKFLOW,
  item,
  JOB_WORKFLOW,
  SteppedJob,
} from '../../../support/charts/jobSteps.ts';

const test = suite('approval');

const job = (more: Partial<JobContext> = {}): JobContext => ({
  ...new SteppedJob().run().end().context,
  shown: { artefactId: 'art', sha256: 'abc' },
  ...more,
});

test('approve, manual-resume and reject answer what is shown, by name or without one (JOB-5)', () => {
  for (const eventKey of ['approve', 'manual-resume', 'reject']) {
    const { approvals } = job();
    const first = job({ approvals: { ...approvals, first: {} } });
    assert.equal(findApprovalProblems(first, { eventKey }), []);
    assert.equal(findApprovalProblems(first, { eventKey, shown: hashApprovalContent(first) }), []);
  }
});

test('the refusal of an answer says what is wrong with it, and what is shown now', () => {
  const context = job();
  const present = hashApprovalContent(context);
  assert.equal(findApprovalProblems(context, { eventKey: 'approve', shown: 'old' }), [
    `what phase planning shows has changed since old: review it again, then approve it as ${present}`,
  ]);
  assert.equal(findApprovalProblems(context, { eventKey: 'reject', shown: 'old' }), [
    `what phase planning shows has changed since old: review it again, then approve it as ${present}`,
  ]);
  assert.equal(findApprovalProblems(context, { eventKey: 'yes', shown: present }), [
    'the event yes answers no checkpoint: use approve or reject',
  ]);
  assert.equal(findApprovalProblems(context, { eventKey: 'approve' }), [
    `what phase planning shows has changed since it was first shown: review it, then approve it as ${present}`,
  ]);
});

test('a job that showed its first version before svc 0.3 may be approved without a name (JOB-5)', () => {
  const { approvals } = job();
  assert.is(
    mustNameVersion(job({ approvals: { ...approvals, first: {} } }), { eventKey: 'approve' }),
    false,
  );
});

test('the hash covers plan, work items, the transition that follows and the sub-runs: a change of any is another hash (JOB-5)', () => {
  const context = job({ workItems: [item('a')] });
  const { signals, approvals } = context;
  const changed: Record<string, JobContext> = {
    plan: { ...context, shown: { artefactId: 'art', sha256: 'abd' } },
    'no plan': { ...context, shown: null },
    'title of a work item': { ...context, workItems: [{ ...item('a'), title: 'Something else' }] },
    'status of a work item': { ...context, workItems: [item('a', 'complete')] },
    'one more work item': { ...context, workItems: [item('a'), item('b')] },
    'target phase': { ...context, signals: { ...signals, goto: { phase: 'testing', reason: '' } } },
    'target workflow': {
      ...context,
      signals: {
        ...signals,
        switch: {
          workflowPath: 'workflows/other.md',
          workflow: JOB_WORKFLOW,
          toPhase: 'coding',
          reason: '',
          by: 'switch_workflow',
        },
      },
    },
    'a sub-run': {
      ...context,
      approvals: { ...approvals, subRuns: addSpecToHash(null, 'part', 'spec') },
    },
    'another phase': { ...context, phase: 'coding' },
  };
  const hashes = Object.values(changed).map(hashApprovalContent);
  assert.is(new Set([hashApprovalContent(context), ...hashes]).size, hashes.length + 1);
});

test('what changes without being approved is no part of the hash: loops and pull requests of a work item', () => {
  const context = job({ workItems: [item('a')] });
  const later = job({ workItems: [{ ...item('a'), loopCount: 2, prIds: ['local:shop#1'] }] });
  assert.is(hashApprovalContent(later), hashApprovalContent(context));
});

test('the hash over sub-runs covers name, spec and order of each registration, replaced ones included', () => {
  const first = addSpecToHash(null, 'a', '1');
  const all = [
    first,
    addSpecToHash(null, 'b', '1'),
    addSpecToHash(null, 'a', '2'),
    addSpecToHash(first, 'b', '2'),
    addSpecToHash(addSpecToHash(null, 'b', '2'), 'a', '1'),
    addSpecToHash(first, 'a', '1'),
    addSpecToHash(null, 'a', undefined),
  ];
  assert.is(new Set(all).size, all.length);
});

test('what follows a plan of sub-runs is the phase that comes after them', () => {
  const parent = new SteppedJob(CAMPAIGN_WORKFLOW).run();
  assert.equal(collectApprovalContent(parent.context).follows, {
    workflowPath: 'workflows/job.md',
    phase: 'waiting',
  });
  assert.equal(
    collectApprovalContent({ ...parent.context, phase: 'waiting', subRuns: 'finalized' }).follows
      .phase,
    'aggregating',
  );
  assert.equal(
    collectApprovalContent({ ...parent.context, phase: 'aggregating' }).follows.phase,
    null,
  );
});

test('the first version of a checkpoint stays the first', () => {
  const { approvals } = job();
  const fresh = job({ approvals: { ...approvals, first: {} } });
  const once = rememberFirstVersion(fresh, 'a'.repeat(64));
  assert.equal(Object.values(once.first), ['a'.repeat(16)]);
  assert.is(rememberFirstVersion(job({ approvals: once }), 'b'.repeat(64)), once);
});

test('sha256 is that of the standard', () => {
  const texts = [
    '',
    'abc',
    'Grüße, 世界 🙂',
    ...Array.from({ length: 130 }, (_, n) => 'x'.repeat(n)),
    'y'.repeat(70_000),
  ];
  for (const text of texts)
    assert.is(sha256(text), createHash('sha256').update(text).digest('hex'));
});

test.run();
