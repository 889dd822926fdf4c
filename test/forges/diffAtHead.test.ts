import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { PrDetail } from '../../src/contract/forge/forge.ts';
import { readDiffAtHead } from '../../src/forges/reviews/readDiffAtHead.ts';
import { catchRefusal } from '../support/refusal.ts';

const test = suite('the changes of a pull request and their commit');

/** A forge whose branch is at each of these commits in turn, one for each time it is asked. */
function pushedTo(...heads: string[]) {
  let calls = 0;
  let at = '';
  return {
    async pullRequest() {
      at = heads[Math.min(calls++, heads.length - 1)] ?? '';
      return { prId: 'local:shop#1', headCommit: at } as Partial<PrDetail> as PrDetail;
    },
    diff: async () => `changes after ${at}`,
  };
}

const PR = { repo: 'shop', number: 1 };

test('a branch that rests is read once', async () => {
  assert.equal(await readDiffAtHead(pushedTo('a', 'a'), PR), {
    head: 'a',
    text: 'changes after a',
  });
});

test('where it is pushed to in between, all is read again: the changes are those of the commit that is named', async () => {
  assert.equal(await readDiffAtHead(pushedTo('a', 'b', 'b'), PR), {
    head: 'b',
    text: 'changes after b',
  });
});

test('a branch that does not rest is refused with what to do', async () => {
  const refused = await catchRefusal(() => readDiffAtHead(pushedTo('a', 'b', 'c', 'd'), PR));
  assert.is(refused.code, 'not-possible-now');
  assert.match(refused.message, /pushing to the branch of local:shop#1.*Try again/);
});

test.run();
