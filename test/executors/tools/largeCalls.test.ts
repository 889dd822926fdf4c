import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { MAX_CALL_BYTES } from '../../../src/executors/tools/host/createToolHost.ts';
import { FakeJobPort } from '../../support/http/fakeAgentJob.ts';
import { JOB_ID } from '../../support/http/fakeFacade.ts';
import { openSurface, TOKEN } from '../../support/http/httpSurface.ts';
import { serveTools } from '../../support/agents/toolServer.ts';

const test = suite('tools: calls that are too large');

/** Writes the whole body before it looks at the answer, as simple clients do. */
async function answerTo(
  url: string,
  token: string,
  bytes: number,
  withLength: boolean,
): Promise<{ status: number; text: string }> {
  const length = withLength ? { 'content-length': String(bytes) } : {};
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    ...length,
  };
  const outgoing = request(url, { method: 'POST', headers, agent: false });
  const answer = once(outgoing, 'response') as Promise<[IncomingMessage]>;
  const piece = Buffer.alloc(1024 * 1024, 'x');
  for (let offset = 0; offset < bytes; offset += piece.length) {
    if (!outgoing.write(piece.subarray(0, Math.min(piece.length, bytes - offset))))
      await once(outgoing, 'drain');
  }
  outgoing.end();
  const [response] = await answer;
  let text = '';
  for await (const part of response.setEncoding('utf8')) text += part;
  return { status: response.statusCode ?? 0, text };
}

for (const [title, withLength] of [
  ['with its length', true],
  ['in chunks', false],
] as const) {
  test(`a body of 50 MiB, sent ${title}, is answered with a 413 that its sender can read`, async () => {
    await using served = await serveTools(new FakeJobPort(), ['local'], false);
    const { status, text } = await answerTo(
      served.url,
      served.opened.token,
      50 * 1024 * 1024,
      withLength,
    );
    assert.is(status, 413);
    assert.equal(JSON.parse(text).code, 'too-large');
    assert.equal(JSON.parse(text).detail, `A tool call may have at most ${MAX_CALL_BYTES} bytes.`);
  });
}

test('so is one to the HTTP surface', async () => {
  await using surface = await openSurface();
  const { status, text } = await answerTo(
    `${surface.url}/jobs/${JOB_ID}/message`,
    TOKEN,
    50 * 1024 * 1024,
    true,
  );
  assert.equal(status, 413);
  assert.equal(JSON.parse(text).code, 'too-large');
});

test.run();
