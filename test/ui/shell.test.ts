import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ClientError } from '../../src/api/client/problem.ts';
import { SvcError } from '../../src/base/errors/errors.ts';
import { pickWaysOut } from '../../ui/jobs/page/WhyPanel.tsx';
import { createRunnerConnection } from '../../ui/shell/connection/connection.ts';
import { createShellStore } from '../../ui/shell/shellStore.ts';
import { explainProblem } from '../../ui/shell/problems/explainProblem.ts';

const test = suite('dashboard: shell');

const shell = () => createShellStore({ theme: 'system', notify: false, singleKeys: true });
const of = (store: ReturnType<typeof shell>) => store.getSnapshot().context;
const unreachable = () => new SvcError('unreachable', 'No runner answers.');

test('a lost connection says since when, and is healed once the runner answers again', async () => {
  const store = shell();
  const answers: (() => Promise<never>)[] = [() => Promise.reject(unreachable())];
  const client = {
    health: () =>
      answers.shift()?.() ??
      Promise.resolve({ status: 'ok' } as Awaited<
        ReturnType<Parameters<typeof createRunnerConnection>[0]['health']>
      >),
  };
  const connection = createRunnerConnection(client, store, () => 1_000);
  await connection.look();
  assert.equal(of(store).lostSince, 1_000);
  assert.equal(of(store).healed, 0);
  await connection.look();
  assert.equal(of(store).lostSince, null);
  assert.equal(of(store).healed, 1);
});

test('a refusal is an answer: only silence is a lost connection', async () => {
  const store = shell();
  const problem = {
    type: 'x',
    title: 'Authentication required',
    status: 401,
    detail: 'Send it.',
    code: 'unauthorized',
    requestId: 'r',
  };
  const connection = createRunnerConnection(
    { health: () => Promise.reject(new ClientError(problem)) },
    store,
    () => 1,
  );
  await connection.look();
  assert.is(of(store).lostSince, null);
  assert.is(connection.report(new ClientError(problem)), false);
});

test('an error is shown with its detail, its fields and what to do (HTTP-9)', () => {
  const problem = {
    type: 'x',
    title: 'Invalid content',
    status: 422,
    detail: 'The params are not valid.',
    code: 'invalid',
    requestId: 'r1',
    errors: [{ pointer: '/params/repoSlug', message: 'is missing' }],
  };
  assert.equal(explainProblem(new ClientError(problem)), {
    title: 'Invalid content',
    detail: 'The params are not valid.',
    fields: [{ pointer: '/params/repoSlug', message: 'is missing' }],
    wayOut: null,
    requestId: 'r1',
  });
  assert.match(explainProblem(unreachable()).wayOut ?? '', /svc start/);
  assert.is(explainProblem(unreachable()).detail, 'Nothing was changed.');
  assert.match(
    explainProblem(new ClientError({ ...problem, code: 'unknown', status: 503 })).wayOut ?? '',
    /svc start/,
  );
  assert.is(
    explainProblem(new ClientError({ ...problem, code: 'unknown', status: 500 })).wayOut,
    null,
  );
  assert.match(
    explainProblem(new ClientError({ ...problem, code: 'unauthorized' })).wayOut ?? '',
    /svc open/,
  );
  assert.is(
    explainProblem(new ClientError({ ...problem, code: 'unauthorized' })).detail,
    'This browser is not logged in.',
  );
  const missing = 'Job x does not exist. svc jobs lists all jobs.';
  assert.is(
    explainProblem(new ClientError({ ...problem, code: 'not-found', detail: missing })).detail,
    'Job x does not exist.',
  );
  const away = 'It is away since 2026-01-02T08:44:45.771Z.';
  assert.not.match(
    explainProblem(new ClientError({ ...problem, code: 'runner-away', detail: away })).detail,
    /T08|Z/,
  );
  assert.equal(explainProblem('odd').detail, 'odd');
  assert.equal(explainProblem(new TypeError('x is not a function')).detail, 'x is not a function');
});

test('toasts have numbers of their own, and too many push the oldest out', () => {
  const store = shell();
  for (const text of ['a', 'b', 'c', 'd', 'e']) store.trigger.did({ text });
  assert.equal(
    of(store).toasts.map(({ text }) => text),
    ['b', 'c', 'd', 'e'],
  );
  store.trigger.dismissed({ id: of(store).toasts[0]?.id ?? 0 });
  assert.equal(of(store).toasts.length, 3);
  assert.equal(new Set(of(store).toasts.map(({ id }) => id)).size, 3);
});

test('of the transitions of a state those of people come first, and internal events of the runner are left out', () => {
  const way = (
    event: string,
    from: string,
    target: string | null,
    open: boolean | 'depends' = true,
  ) => ({
    event,
    from,
    target,
    open,
    guards: [],
  });
  const ways = [
    way('forge.event', 'the forge', 'queued', 'depends'),
    way('job.resume', 'a developer', 'queued'),
    way('job.message', 'a developer', null, false),
    way('effect.givenUp', 'the kernel', null),
    way('insight.remove', 'a developer', null),
  ];
  assert.equal(
    pickWaysOut(ways).map(({ event }) => event),
    ['job.resume', 'forge.event', 'insight.remove'],
  );
});

test.run();
