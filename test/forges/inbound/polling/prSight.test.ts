import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SvcError } from '../../../../src/base/errors/errors.ts';
import { PrSight } from '../../../../src/forges/inbound/polling/prSight.ts';
import type { Send } from '../../../../src/kernel/contract.ts';

const test = suite('what polls see of pull requests');

const MINUTE = 60_000;
const FORGE = { id: 'github', consistencyMs: 10_000 };

/** Three open pull requests, the first two of one job, and a closed one. */
function stage() {
  const rows = [1, 2, 3, 4].map((number) => ({
    forge: 'github',
    repo: 'acme/shop',
    number,
    job_id: number < 3 ? 'one' : 'other',
    pr_id: `github:acme/shop#${number}`,
    url: `https://github.com/acme/shop/pull/${number}`,
    state: number === 4 ? ('closed' as const) : ('open' as const),
    problem: null as string | null,
  }));
  const inbox: { id: string }[] = [{ id: 'github:acme/shop#4:closed:t1' }];
  const reader = {
    all: ((table, where) => {
      if (table === 'inbox_items') return inbox;
      const { number } = where as { number: number };
      return rows.filter((row) => row.number === number);
    }) as ConstructorParameters<typeof PrSight>[0]['rows']['all'],
  };
  const prs = {
    withProblem: () =>
      rows.flatMap(({ repo, number, problem }) =>
        problem === null ? [] : [{ repo, number, problem }],
      ),
  };
  let now = 0;
  const open = () => new PrSight({ rows: reader, prs });
  let sight = open();
  /** As the jobs' charts do it. */
  const store = (sends: Send[]) =>
    sends.map(({ to, event }) => {
      const prs = event.found as { prId: string; problem: { why: string } | null }[];
      for (const { prId, problem } of prs)
        for (const row of rows) if (row.pr_id === prId) row.problem = problem?.why ?? null;
      return [to, ...prs.map(({ prId, problem }) => `${prId.slice(-1)} ${problem?.why ?? 'ok'}`)];
    });
  const at = (...numbers: number[]) => numbers.map((number) => ({ repo: 'acme/shop', number }));
  return {
    rows,
    at,
    poll: (unseen: number[], why?: string) => {
      now += MINUTE;
      const seen = at(...[1, 2, 3, 4].filter((number) => !unseen.includes(number)));
      const missingPrs = at(...unseen).map((pr) => (why === undefined ? pr : { ...pr, why }));
      return store(sight.noteAnsweredPoll(FORGE, { seen, unseen: missingPrs }, now));
    },
    /** A poll that reads the first one, and what hinders it. */
    hinder: (why: string | null) => {
      now += MINUTE;
      const [pr = { repo: '', number: 0 }] = at(1);
      const hindered = why === null ? [] : [{ ...pr, why, asks: false, isOpen: true }];
      const seen = why === null ? [pr] : [];
      return store(sight.noteAnsweredPoll(FORGE, { seen, hindered }, now));
    },
    findUnreported: (unseen: number[], why?: string) => {
      const seen = at(...[1, 2, 3, 4].filter((number) => !unseen.includes(number)));
      const missingPrs = at(...unseen).map((pr) => (why === undefined ? pr : { ...pr, why }));
      return sight.findUnreported('github', { seen, unseen: missingPrs });
    },
    fail: (error: unknown) => {
      now += MINUTE;
      return store(sight.noteFailedPoll(FORGE, at(1, 2, 3), error, now));
    },
    open: (isOpen?: boolean) => {
      now += MINUTE;
      const [pr] = at(4);
      const seen = pr === undefined ? [] : [isOpen === undefined ? pr : { ...pr, isOpen }];
      return sight.findReopened(FORGE, { seen }, now).map(({ externalId }) => externalId);
    },
    restart: () => {
      sight = open();
    },
  };
}

const GONE =
  'github no longer shows it: it was deleted, or the account of svc may not see it any more';

test('one that polls no longer see is reported to its job once, and once more when it is back (EVT-4)', () => {
  const { poll, restart } = stage();
  assert.equal(poll([]), []);
  assert.equal(poll([1, 2]), [], 'one poll is no proof');
  assert.equal(poll([1, 2]), [['one', `1 ${GONE}`, `2 ${GONE}`]]);
  assert.equal(poll([1, 2]), []);
  restart();
  assert.equal([poll([1, 2]), poll([1, 2])], [[], []], 'a restart does not report it again');
  assert.equal(poll([2]), [['one', '1 ok']]);
  assert.equal(poll([]), [['one', '2 ok']]);
  assert.equal(poll([]), []);
});

test('an answer that is wrong now and then reports nothing', () => {
  const { poll } = stage();
  assert.equal(
    [[1], [], [1], [], [1]].map((unseen) => poll(unseen)),
    [[], [], [], [], []],
  );
});

test('one that is closed already is not reported; another reason is', () => {
  const { poll } = stage();
  assert.equal([poll([4]), poll([4])], [[], []]);
  assert.equal([poll([3]), poll([3])], [[], [['other', `3 ${GONE}`]]]);
  assert.equal(poll([3], 'its branch is gone'), [['other', '3 its branch is gone']]);
});

test('a forge that refuses svc is reported to every job that waits for it, until it answers; an outage is not', () => {
  const { poll, fail } = stage();
  const refused = new SvcError('config-invalid', 'github.com does not accept the token.');
  assert.equal(fail(new SvcError('unreachable', 'no answer')), []);
  assert.equal(fail(refused), []);
  const why = 'github refuses svc: github.com does not accept the token.';
  assert.equal(fail(refused), [
    ['one', `1 ${why}`, `2 ${why}`],
    ['other', `3 ${why}`],
  ]);
  assert.equal(fail(refused), []);
  assert.equal(poll([]), [
    ['one', '1 ok', '2 ok'],
    ['other', '3 ok'],
  ]);
});

test('what cannot be read is reported once, and again when it was read meanwhile or the reason is another one', () => {
  const { findUnreported } = stage();
  const one = { pr: 'acme/shop#2', why: 'it has no number' };
  assert.equal(findUnreported([2], one.why), [one]);
  assert.equal(findUnreported([2], one.why), []);
  assert.equal(findUnreported([2]), [{ pr: 'acme/shop#2', why: GONE }]);
  assert.equal([findUnreported([]), findUnreported([2], one.why)], [[], [one]]);
});

test('a closed one that is read as open, and stays so for as long as what is shown may be old, was reopened', () => {
  const { open, rows } = stage();
  assert.equal(open(true), []);
  assert.equal(open(), ['github:acme/shop#4:reopened:github:acme/shop#4:closed:t1']);
  const [, , , pr] = rows;
  if (pr) pr.state = 'open';
  assert.equal([open(true), open()], [[], []]);
});

test('one that is read as closed again was not reopened', () => {
  const { open } = stage();
  assert.equal([open(true), open(false), open()], [[], [], []]);
});

test('what hinders a pull request is reported by the second poll, and its end once', () => {
  const { hinder } = stage();
  const why = 'its conversation is locked';
  assert.equal([why, why, why, null, null].map(hinder), [
    [],
    [['one', `1 ${why}`]],
    [],
    [['one', '1 ok']],
    [],
  ]);
});

test.run();
