import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SvcError } from '../../../src/lib/errors.ts';
import { Traces } from '../../../src/providers/rest/traces.ts';

const test = suite('traces of pull requests: which of them a forge shows');

const prs = [1, 2, 3, 4].map((number) => ({ repo: 'acme/shop', number }));

test('gone ones are distinguished from those that are shown, read or not; one that is refused is gone with the reason', async () => {
  const traces = new Traces({
    windowMs: 0,
    ask: async (asked) => asked.map(({ number }) => (number === 2 ? undefined : 'trace')),
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
  ]);
  batch.delivered();
  const next = await traces.news(prs.slice(0, 2), 60_000, read);
  assert.equal(next.seen, [{ repo: 'acme/shop', number: 1 }], 'not read again');
  assert.equal(next.unseen, [{ repo: 'acme/shop', number: 2 }]);
});

test.run();
