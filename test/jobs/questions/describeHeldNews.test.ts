import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createKernel } from '../../../src/kernel/kernel.ts';
import { describeHeldNews } from '../../../src/jobs/questions/describeHeldNews.ts';
import type { Kernel } from '../../../src/contract/records/changes.ts';
import { SimulatedClock } from '../../support/charts/simulatedClock.ts';
import { memoryStore } from '../../support/memoryStore.ts';

const AWAITED = { prId: null, kinds: null, resumePhase: null } as never;

interface Inbox {
  comments: number;
  held?: 1 | null;
  waits?: boolean;
  drained?: number;
}

/** The words about a job that has these comments in its inbox. */
async function readHeldNews({
  comments,
  held = 1,
  waits = true,
  drained = 0,
}: Inbox): Promise<string> {
  const store = memoryStore();
  const clock = new SimulatedClock();
  const kernel: Kernel = createKernel({
    screen: null,
    store: store.durable,
    charts: [],
    ports: {},
    clock,
  });
  await kernel.start();
  await kernel.submit({
    rows: Array.from({ length: comments }, (_, at) => ({
      op: 'put' as const,
      table: 'inbox_items' as const,
      row: {
        job_id: 'job-1',
        n: at + 1,
        id: `comment-${at + 1}`,
        at: 0,
        kind: 'event:commented' as const,
        author: 'ann',
        text: 'Thanks!',
        pr_id: `local:shop#${at + 1}`,
        url: null,
        acknowledged_at: null,
        superseded_by: null,
        held,
        override: null,
      },
    })),
  });
  const inbox = { arrived: comments, drained };
  const awaited = waits ? AWAITED : null;
  const news = describeHeldNews(store.rows, { id: 'job-1', awaited, inbox });
  store.close();
  return news.join('; ');
}

test('a held comment is named by its pull request and author, with what delivers it (OVR-7)', async () => {
  assert.is(
    await readHeldNews({ comments: 1 }),
    'not for what the decision layer holds back until a resume or a message: commented on local:shop#1 by ann',
  );
});

test('a comment that was not held is not named (OVR-7)', async () => {
  assert.is(await readHeldNews({ comments: 1, held: null }), '');
});

test('nor is one that an agent has been given (OVR-7)', async () => {
  assert.is(await readHeldNews({ comments: 2, drained: 2 }), '');
});

test('nor is any of a job that does not wait for news (OVR-7)', async () => {
  assert.is(await readHeldNews({ comments: 1, waits: false }), '');
});

test('of many the first five are named, and the others counted (OVR-7)', async () => {
  assert.match(await readHeldNews({ comments: 7 }), /shop#5 by ann, 2 more$/);
});

test.run();
