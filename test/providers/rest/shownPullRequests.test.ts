import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SvcError } from '../../../src/base/errors/errors.ts';
import { Traces } from '../../../src/providers/rest/traces.ts';

const test = suite('traces of pull requests: which of them a forge shows');

const prs = [1, 2, 3, 4].map((number) => ({ repo: 'acme/shop', number }));

test('gone ones are distinguished from those that are shown, read or not; one that is refused is gone with the reason', async () => {
  const traces = new Traces({
    windowMs: 0,
    ask: async (batch) => batch.map(({ number }) => (number === 2 ? undefined : 'trace')),
  });
  const read = async ({ number }: { number: number }) => {
    if (number === 3) throw new SvcError('forbidden', 'The token may not do this.');
    if (number === 4) throw new SvcError('internal', 'An answer that makes no sense.');
    return { news: [], mergeable: true, isOpen: false };
  };
  const batch = await traces.news(prs, 0, read);
  assert.equal(batch.seen, [{ repo: 'acme/shop', number: 1, isOpen: false }]);
  assert.equal(batch.unseen, [
    { repo: 'acme/shop', number: 2 },
    { repo: 'acme/shop', number: 3, why: 'The token may not do this.' },
    { repo: 'acme/shop', number: 4, why: 'An answer that makes no sense.' },
  ]);
  batch.confirmStored();
  const next = await traces.news(prs.slice(0, 2), 60_000, read);
  assert.equal(next.seen, [{ repo: 'acme/shop', number: 1 }], 'not read again');
  assert.equal(next.unseen, [{ repo: 'acme/shop', number: 2 }]);
});

const allChanged = () => new Traces({ windowMs: 0, ask: async (batch) => batch.map(() => null) });
const fresh = { news: [], mergeable: true, isOpen: true };
const numbers = (items: readonly { number: number }[] = []) => items.map(({ number }) => number);
const away = new SvcError('unreachable', 'The server does not answer.');

test('one of an unexpected shape is left out with the reason, and is no problem of the poll', async () => {
  const { seen, unseen, problem } = await allChanged().news(prs, 0, async ({ number }) => {
    if (number === 2) throw new TypeError('reviews is not iterable');
    return fresh;
  });
  assert.equal(numbers(seen), [1, 3, 4]);
  assert.equal(unseen, [
    {
      repo: 'acme/shop',
      number: 2,
      why: 'the answer about acme/shop#2 is not as expected: reviews is not iterable',
    },
  ]);
  assert.is(problem, null);
});

test('one about which the server gives no answer keeps no other one from being read', async () => {
  const { seen, unseen, unanswered, problem } = await allChanged().news(
    prs,
    0,
    async ({ number }) => {
      if (number === 1) throw away;
      return fresh;
    },
  );
  assert.equal([numbers(seen), unseen, problem], [[2, 3, 4], [], null]);
  assert.equal(unanswered, [{ repo: 'acme/shop', number: 1, why: 'The server does not answer.' }]);
});

test('a server that answers about none of them is away: it is asked three times, not about each', async () => {
  const calls: number[] = [];
  const { seen, problem } = await allChanged().news(prs, 0, async ({ number }) => {
    calls.push(number);
    throw away;
  });
  assert.equal([calls, seen, problem], [[1, 2, 3], [], away]);
  const alone = await allChanged().news(prs.slice(0, 1), 0, async () => {
    throw away;
  });
  assert.is(alone.problem, away);
});

test('a refused token ends the poll at once, after what was read', async () => {
  const refused = new SvcError('config-invalid', 'The token is not accepted.');
  const { seen, problem } = await allChanged().news(prs, 0, async ({ number }) => {
    if (number === 2) throw refused;
    assert.is.not(number, 3);
    return fresh;
  });
  assert.equal([numbers(seen), problem], [[1], refused]);
});

test.run();
