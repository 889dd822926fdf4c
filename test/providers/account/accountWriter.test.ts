import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SvcError } from '../../../src/base/errors/errors.ts';
import { findCurrentCaller } from '../../../src/providers/account/caller.ts';
import type { RemoteForge } from '../../../src/contract/forge/remoteForge.ts';
import { AccountWriter, type WriteRow } from '../../../src/providers/account/accountWriter.ts';
import type {
  ForgeChange,
  ForgeOperation,
  ForgeOperations,
} from '../../../src/contract/forge/forge.ts';
import { catchRefusal } from '../../support/refusal.ts';
import { SimulatedClock } from '../../support/charts/simulatedClock.ts';

const test = suite('scm broker: writes');

const CALLER = { jobId: 'job-1', phase: 'coding' };
const COMMENT = { repo: 'acme/shop', number: 1, body: 'Hello.' };
const ACTOR = { author: 'svc:job-1', at: 1, operationId: 'job-1/7/0' };
const answer = (n: number): ForgeChange => ({ pr: null, result: { n }, rows: [], events: [] });
const createLostError = () =>
  new SvcError('unreachable', 'the answer is lost', { data: { sent: true } });

/** A write service, a forge that counts what reaches it, and a table that outlives both. */
function world(
  forge: {
    write?: () => ForgeChange;
    find?: () => ForgeChange | null;
    beforeWrite?: () => void;
  } = {},
) {
  const rows = new Map<string, WriteRow>();
  const seen: string[] = [];
  const clock = new SimulatedClock();
  const put = (all: ForgeChange['rows']) => {
    for (const { table, row } of all) {
      if (table === 'forge_writes') rows.set(row.operation_id, { number: null, ...row });
    }
  };
  const remote = {
    id: 'github',
    consistencyMs: 10_000,
    doesOnce: new Set<ForgeOperation>(['create_pr']),
    write: async () => {
      forge.beforeWrite?.();
      await findCurrentCaller()?.prepareWrite?.();
      seen.push('write');
      return (forge.write ?? (() => answer(1)))();
    },
    find: async () => {
      seen.push('find');
      return (forge.find ?? (() => null))();
    },
  } as Partial<RemoteForge> as RemoteForge;
  const service = new AccountWriter({
    row: (id) => rows.get(id),
    clock,
    commit: async (all) => put(all),
  });
  /** As the runner does: the rows of an answer are committed with it. */
  const write = async (
    operation: 'post_pr_comment' | 'create_pr' = 'post_pr_comment',
    signal?: AbortSignal,
  ) => {
    const args = COMMENT as ForgeOperations['post_pr_comment'];
    const attempt = service.write(remote, operation as 'post_pr_comment', args, ACTOR, {
      ...CALLER,
      ...(signal ? { signal } : {}),
    });
    attempt.catch(() => {});
    let over = false;
    void attempt.then(
      () => (over = true),
      () => (over = true),
    );
    while (!over) {
      await new Promise((resolve) => setImmediate(resolve));
      if (!over) clock.runNext();
    }
    const change = await attempt;
    put(change.rows);
    return change;
  };
  return { rows, seen, clock, write, state: () => rows.get(ACTOR.operationId)?.state };
}

test('a write is on disk before it goes out, and its answer after it; asked again it is answered without going out', async () => {
  const it = world({
    write: () => {
      assert.is(it.state(), 'sent');
      return answer(1);
    },
  });
  assert.equal((await it.write()).result, { n: 1 });
  const { result: _, at: __, ...row } = it.rows.get(ACTOR.operationId) ?? ({} as WriteRow);
  assert.equal(row, {
    operation_id: 'job-1/7/0',
    forge: 'github',
    operation: 'post_pr_comment',
    repo: 'acme/shop',
    number: 1,
    job_id: 'job-1',
    phase: 'coding',
    state: 'done',
  });
  assert.equal((await it.write()).result, { n: 1 });
  assert.equal(it.seen, ['write']);
});

test('after a crash between act and answer it is looked for, and found it is the answer', async () => {
  const it = world({ find: () => answer(9) });
  it.rows.set(ACTOR.operationId, { operation_id: ACTOR.operationId, state: 'sent' } as WriteRow);
  assert.equal((await it.write()).result, { n: 9 });
  assert.equal(it.seen, ['find']);
});

test('what lags is looked for as long as the forge may lag', async () => {
  let looks = 0;
  const it = world({ find: () => (++looks < 4 ? null : answer(9)) });
  it.rows.set(ACTOR.operationId, { operation_id: ACTOR.operationId, state: 'sent' } as WriteRow);
  assert.equal((await it.write()).result, { n: 9 });
  assert.is(looks, 4);
});

test('what cannot be found is undecided for ever and never goes out again', async () => {
  const it = world();
  it.rows.set(ACTOR.operationId, {
    ...({} as WriteRow),
    operation_id: ACTOR.operationId,
    state: 'sent',
    operation: 'post_pr_comment',
    repo: 'acme/shop',
    number: 1,
    forge: 'github',
  });
  const first = await catchRefusal(() => it.write());
  assert.equal(first.code, 'undecided');
  assert.equal(it.state(), 'undecided');
  assert.match(first.message, /^It is unknown whether post_pr_comment on acme\/shop#1 was done/);
  assert.is((await catchRefusal(() => it.write())).code, 'undecided');
  assert.equal(it.seen, ['find', 'find', 'find', 'find', 'find']);
});

test('an operation that the forge does only once goes out again when it is not to be found', async () => {
  const it = world();
  it.rows.set(ACTOR.operationId, { operation_id: ACTOR.operationId, state: 'sent' } as WriteRow);
  assert.equal((await it.write('create_pr')).result, { n: 1 });
  assert.equal(it.seen.at(-1), 'write');
});

test('an answer that is lost on the way is looked for at once', async () => {
  const it = world({
    write: () => {
      throw createLostError();
    },
    find: () => answer(5),
  });
  assert.equal((await it.write()).result, { n: 5 });
  assert.equal(it.seen, ['write', 'find']);
});

test('a refusal is no doubt: the same operation may be tried again', async () => {
  let refuse = true;
  const it = world({
    write: () => {
      if (refuse) throw new SvcError('rate-limited', 'later');
      return answer(2);
    },
  });
  assert.is((await catchRefusal(() => it.write())).code, 'rate-limited');
  assert.is(it.state(), 'refused');
  refuse = false;
  assert.equal((await it.write()).result, { n: 2 });
  assert.equal(it.seen, ['write', 'write']);
});

/** Throws on the calls of these numbers, counted from 1. */
function failsOn(calls: readonly number[], error: SvcError): () => void {
  let call = 0;
  return () => {
    call += 1;
    if (calls.includes(call)) throw error;
  };
}

for (const code of ['rate-limited', 'not-found', 'forbidden'] as const) {
  test(`a look that ends with ${code} is no answer to an open write: the forge is asked again`, async () => {
    const fails = failsOn([1, 2], new SvcError(code, 'cannot look'));
    const it = world({
      write: () => {
        throw createLostError();
      },
      find: () => {
        fails();
        return answer(7);
      },
    });
    assert.equal((await it.write()).result, { n: 7 });
    assert.equal(it.seen, ['write', 'find', 'find', 'find']);
    assert.equal(it.state(), 'done');
  });
}

test('a second attempt that cannot go out leaves the write open until it can', async () => {
  let lose = true;
  const it = world({
    beforeWrite: failsOn([2, 3], new SvcError('rate-limited', 'no budget')),
    write: () => {
      if (!lose) return answer(3);
      lose = false;
      throw createLostError();
    },
  });
  assert.equal((await it.write('create_pr')).result, { n: 3 });
  assert.equal(it.seen.filter((one) => one === 'write').length, 2);
  assert.equal(it.state(), 'done');
});

test('a second attempt that the forge refuses is refused: it was looked for and is not there', async () => {
  const answers = [createLostError(), new SvcError('invalid', 'head does not exist')];
  const it = world({
    write: () => {
      throw answers.shift();
    },
  });
  assert.equal((await catchRefusal(() => it.write('create_pr'))).code, 'invalid');
  assert.equal(it.state(), 'refused');
});

for (const operation of ['post_pr_comment', 'create_pr'] as const) {
  test(`${operation}: a forge that cannot be asked for 15 minutes leaves it undecided, not open`, async () => {
    const it = world({
      write: () => {
        throw createLostError();
      },
      find: () => {
        throw new SvcError('unreachable', 'down');
      },
    });
    const from = it.clock.now();
    assert.equal((await catchRefusal(() => it.write(operation))).code, 'undecided');
    assert.equal(it.state(), 'undecided');
    assert.is(it.clock.now() - from, 15 * 60_000);
    assert.equal(it.seen.filter((one) => one === 'write').length, 1);
  });
}

test('a runner that stops waits no longer; the write stays open for its next start', async () => {
  const stopping = new AbortController();
  const it = world({
    write: () => {
      throw createLostError();
    },
    find: () => {
      stopping.abort();
      return null;
    },
  });
  assert.is(
    (await catchRefusal(() => it.write('post_pr_comment', stopping.signal))).code,
    'stopping',
  );
  assert.equal(it.seen, ['write', 'find']);
  assert.equal(it.state(), 'sent');
});

test('a defect after it went out is no refusal: it is looked for', async () => {
  const it = world({
    write: () => {
      throw new TypeError('the answer cannot be read');
    },
    find: () => answer(4),
  });
  assert.equal((await it.write()).result, { n: 4 });
});

test.run();
