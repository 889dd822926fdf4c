import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type OpenStore, openStore } from '../../../src/jobs/store/openStore.ts';
import type { Tables } from '../../../src/contract/records/tables.ts';
import type { RowChange } from '../../../src/contract/records/changes.ts';
import type { Job } from '../../../src/contract/schema/job/job.ts';
import { SecretStream, createSecretTable } from '../../../src/base/secrets/secretStream.ts';
import { createArtefactReader } from '../../../src/sessions/agentJob/createArtefactReader.ts';
import { collectRelatedArtefacts } from '../../../src/sessions/brief/collectRelatedArtefacts.ts';
import { MAX_PAGE_BYTES } from '../../../src/jobs/workspace/readArtefactPage.ts';
import { BlobStore } from '../../../src/jobs/workspace/blobs.ts';
import { listJobArtefacts } from '../../../src/jobs/views/jobRows.ts';
import { FakeJobPort } from '../../support/http/fakeAgentJob.ts';

const test = suite('artefacts that agents read');

/** A store and a folder of bytes, with what jobs have posted. */
async function withArtefacts(
  run: (stage: {
    store: OpenStore;
    post(jobId: string, id: string, bytes: string | Uint8Array): Promise<void>;
    subRun(name: string, jobId: string, dependsOn: string[]): void;
    /** What an agent of this job is answered. */
    read(job: { id: string; parent?: string }, id: string, offset?: number): Promise<unknown>;
  }) => Promise<void>,
  secrets: readonly string[] = [],
): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), 'svc-artefacts-'));
  const store = openStore({ file: ':memory:', pid: 1, now: 0 });
  const generation = store.durable.claim();
  const blobs = new BlobStore(dir);
  const put = (...rows: RowChange[]) =>
    void store.durable.commit({
      generation,
      actors: [],
      journal: [],
      outboxPut: [],
      outboxDone: [],
      timersSet: [],
      timersDrop: [],
      inbox: [],
      mailPut: [],
      mailDone: [],
      frames: [],
      rows,
    });
  try {
    await run({
      store,
      async post(jobId, id, content) {
        const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
        const blob = await blobs.put(bytes);
        const row: Tables['artefacts'] = {
          job_id: jobId,
          id,
          at: 1,
          phase: 'planning',
          visit: 1,
          kind: 'plan-md',
          title: id,
          mime: 'text/markdown',
          ...blob,
          removed_at: null,
        };
        put({ op: 'put', table: 'artefacts', row });
      },
      subRun(name, jobId, dependsOn) {
        const row: Tables['sub_runs'] = {
          parent: 'campaign-1',
          name,
          n: 0,
          description: name,
          params: '{}',
          depends_on: JSON.stringify(dependsOn),
          tracker_ref: null,
          job_id: jobId,
          attempt: 1,
          status: 'dispatched',
          reason: null,
          started_at: 1,
          completed_at: null,
          before_skip: null,
        };
        put({ op: 'put', table: 'sub_runs', row });
      },
      async read({ id: jobId, parent }, id, offset = 0) {
        const job: Job = {
          ...new FakeJobPort().current,
          id: jobId,
          parentJobId: parent ?? null,
          artefacts: listJobArtefacts(store.rows, jobId),
        };
        const deps = {
          rows: store.rows,
          blobs,
          secretStream: () => new SecretStream(createSecretTable(secrets)),
        };
        const { text, nextOffset } = await createArtefactReader(deps, () => job)(id, offset);
        return nextOffset === null ? text : [text, nextOffset];
      },
    });
  } finally {
    store.close();
    await rm(dir, { recursive: true, force: true });
  }
}

const says = async (answer: Promise<unknown>): Promise<string> =>
  answer.then(
    () => 'no error',
    (error: Error) => error.message,
  );

test('an artefact of the job is read page by page, and no character is cut (TOOL-2)', () =>
  withArtefacts(async ({ post, read }) => {
    const text = `${'a'.repeat(MAX_PAGE_BYTES - 1)}é end`;
    await post('job-1', 'plan', text);
    const job = { id: 'job-1' };
    assert.equal(await read(job, 'plan'), ['a'.repeat(MAX_PAGE_BYTES - 1), MAX_PAGE_BYTES - 1]);
    assert.equal(await read(job, 'plan', MAX_PAGE_BYTES - 1), 'é end');
    assert.equal(await read(job, 'plan', MAX_PAGE_BYTES), ' end', 'an offset within a character');
    assert.equal(await read(job, 'plan', 1_000_000), '', 'past the end');
  }));

test('a page of exactly the longest size is the last one', () =>
  withArtefacts(async ({ post, read }) => {
    await post('job-1', 'plan', 'a'.repeat(MAX_PAGE_BYTES));
    assert.is(await read({ id: 'job-1' }, 'plan'), 'a'.repeat(MAX_PAGE_BYTES));
  }));

test('no offset cuts a secret in two', () =>
  withArtefacts(
    async ({ post, read }) => {
      await post('job-1', 'report', 'key=canary-secret.');
      assert.is(await read({ id: 'job-1' }, 'report'), 'key=[secret].');
      assert.is(await read({ id: 'job-1' }, 'report', 6), 'ecret].');
    },
    ['canary-secret'],
  ));

test('what is not text is refused with its type', () =>
  withArtefacts(async ({ post, read }) => {
    for (const [id, bytes] of [
      ['nul', new Uint8Array([65, 0, 66])],
      ['broken', new Uint8Array([65, 0xff, 66])],
    ] as const) {
      await post('job-1', id, bytes);
      assert.is(
        await says(read({ id: 'job-1' }, id)),
        `Artefact ${id} is not text (text/markdown, 3 bytes), and only text can be read here.`,
      );
    }
  }));

test('a sub-run reads those of its campaign and of what it depends on, and of no one else (SUB-6)', () =>
  withArtefacts(async ({ store, post, subRun, read }) => {
    for (const job of ['campaign-1', 'a-1', 'b-1', 'c-1', 'd-1', 'other-1'])
      await post(job, `of-${job}`, `text of ${job}`);
    subRun('a', 'a-1', []);
    subRun('b', 'b-1', ['a']);
    subRun('c', 'c-1', ['b']);
    subRun('d', 'd-1', []);
    const c = { id: 'c-1', parent: 'campaign-1' };
    for (const job of ['campaign-1', 'a-1', 'b-1', 'c-1'])
      assert.is(await read(c, `of-${job}`), `text of ${job}`);
    for (const job of ['d-1', 'other-1']) {
      assert.is(
        await says(read(c, `of-${job}`)),
        `This job has no artefact of-${job}; get_artifacts without an id lists them.`,
      );
    }
    const of = (id: string, parentJobId: string | null) =>
      collectRelatedArtefacts(store.rows, { id, parentJobId }).map((one) => one.of);
    assert.equal(of('c-1', 'campaign-1').sort(), ['a', 'b', 'the campaign']);
    assert.equal(of('campaign-1', null).sort(), ['a', 'b', 'c', 'd']);
    assert.equal(of('other-1', null), []);
  }));

test.run();
