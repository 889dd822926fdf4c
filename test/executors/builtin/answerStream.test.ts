import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { screenStream } from '../../../src/executors/builtin/answerStream.ts';
import { events } from '../../support/agents/endpoints/oddEndpoint.ts';

const test = suite('builtin: a streamed answer in pieces');

const word = { choices: [{ index: 0, delta: { content: 'and on '.repeat(100) } }] };

test('an answer that does not end is broken off at its limit, with an error of the request', async () => {
  let pulls = 0;
  const endless = new ReadableStream<string>({
    pull(controller) {
      pulls += 1;
      controller.enqueue(events([word], false));
    },
  });
  const pieces: string[] = [];
  for await (const piece of endless.pipeThrough(screenStream('openai', (text) => text, 1_000)))
    pieces.push(piece);
  assert.ok(pulls < 50, `${pulls} pieces were read`);
  assert.is(pieces.length, 2);
  assert.match(pieces.at(-1) ?? '', /"code":"invalid_answer".*more than 1000 characters/);
});

test.run();
