import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  createModelFetch,
  toStreamError,
} from '../../../src/executors/builtin/createModelFetch.ts';
import { toModelFault } from '../../../src/executors/builtin/toModelFault.ts';
import { OWN_ERROR } from '../../../src/executors/builtin/ownMembers.ts';
import { screenSecrets } from '../../../src/base/secrets/screenSecrets.ts';
import {
  events,
  type OddEndpoint,
  openOddEndpoint,
  rightAnswer,
} from '../../support/agents/endpoints/oddEndpoint.ts';
import { REFUSALS } from '../../support/agents/endpoints/refusals.ts';

const test = suite('builtin: what endpoints say instead of an answer');

const ASKED = 16_000;

/** Says of a request in its body what is sent to it. */
let endpoint: OddEndpoint;
test.before(async () => {
  endpoint = await openOddEndpoint((_n, { status, type, body }) => ({
    status: Number(status),
    type: typeof type === 'string' ? type : null,
    body: String(body),
  }));
});
test.after(() => endpoint[Symbol.asyncDispose]());

const ask = (reply: { status: number; type: string | null; body: string }): Promise<Response> => {
  const screen = screenSecrets(['key-of-the-endpoint']);
  const fetchModel = createModelFetch({ wire: 'openai', isStreamed: true, screen });
  return fetchModel(endpoint.url, { method: 'POST', body: JSON.stringify(reply) });
};

const toText = (body: unknown): string => (typeof body === 'string' ? body : JSON.stringify(body));

for (const { server, status, body, kind, says, tooLong, output = null } of REFUSALS) {
  const long = tooLong === undefined ? null : { window: tooLong[0], asked: tooLong[1] };
  test(`${server}: the refusal is read and quoted`, async () => {
    const error = await ask({ status, type: null, body: toText(body) }).then(
      () => null,
      (failed: unknown) => failed,
    );
    const fault = toModelFault(error, ASKED, 0);
    assert.equal(
      [fault.kind, fault.tooLong, fault.output, fault.status],
      [kind, long, output, status],
    );
    assert.match(fault.said, says);
  });
  // A limit of an account, and a gateway, answer before a stream begins.
  if (typeof body === 'string' || [401, 402, 403, 413, 429, 501, 502, 503].includes(status))
    continue;
  test(`${server}: the same in a stream that has begun`, async () => {
    const [firstEvent] = rightAnswer('openai', 'Hello');
    const error = Array.isArray(body) ? body[0] : body;
    const answer = await ask({
      status: 200,
      type: 'text/event-stream',
      body: events([firstEvent, error]),
    });
    const pieces = (await answer.text())
      .split('\n\n')
      .flatMap((event) => (event.startsWith('data: {') ? [JSON.parse(event.slice(6))] : []));
    assert.is(pieces[0]?.choices[0]?.delta.content, 'Hello');
    const fault = toModelFault(toStreamError(pieces[1]?.[OWN_ERROR]), ASKED, 0);
    assert.equal([fault.tooLong, fault.output, fault.status], [long, output, null]);
    assert.match(fault.said, says);
  });
}

test.run();
