import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { noticeQuietRunner } from '../../cli/remote/noticeQuietRunner.ts';

const test = suite('cli: a runner that does not answer');

const ADDRESS = 'http://127.0.0.1:3000/jobs';

/** Sends a request, lets the time pass before it is answered where `isLate`, and gives what was printed. */
async function listNotices(isLate: boolean): Promise<string[]> {
  const printed: string[] = [];
  let late = () => {};
  const io = {
    err: (text: string) => void printed.push(text),
    after: (_ms: number, then: () => void) => {
      late = then;
      return () => {
        late = () => {};
      };
    },
  };
  const answer = noticeQuietRunner(io, async () => {
    if (isLate) late();
    return new Response('{}');
  });
  assert.is((await answer(ADDRESS)).status, 200);
  late();
  return printed;
}

test('its address is named while the answer is late', async () => {
  const [notice = '', ...others] = await listNotices(true);
  assert.match(notice, '127.0.0.1:3000');
  assert.equal(others, []);
});

test('an answer in time is not mentioned', async () => {
  assert.equal(await listNotices(false), []);
});

test.run();
