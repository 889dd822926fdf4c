import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createClient } from '../../../src/api/client/client.ts';
import {
  sendChatMessage,
  type ReceivedFrame,
  watchTurn,
} from '../../../src/api/client/intakeFrames.ts';
import { MAX_CHAT_BODY_BYTES } from '../../../src/contract/routes/route.ts';
import { HEARTBEAT_MS } from '../../../src/api/server/streams/jobStream.ts';
import { SvcError } from '../../../src/base/errors/errors.ts';
import type { IntakeBody } from '../../../src/contract/schema/planning/intake.ts';
import { ChatStage, Reader, settleQueue } from '../../support/chats/chatStage.ts';
import { SESSION_ID } from '../../support/http/fakeIntake.ts';
import {
  ask,
  openSurface,
  post,
  problemIn,
  type Surface,
  TOKEN,
  WITH_TOKEN,
} from '../../support/http/httpSurface.ts';

const test = suite('http plan mode');

const SAY: IntakeBody = { sessionId: SESSION_ID, message: 'Why is it slow?' };
const STREAM = `/intake/sessions/${SESSION_ID}/stream`;

/** An open stream. */
async function open(
  { port }: Pick<Surface, 'port'>,
  path: string,
  { body, headers = {} }: { body?: IntakeBody; headers?: Record<string, string> } = {},
) {
  const outgoing = request({
    host: '127.0.0.1',
    port,
    path,
    method: body ? 'POST' : 'GET',
    headers: { ...WITH_TOKEN, 'Content-Type': 'application/json', ...headers },
    agent: false,
  });
  outgoing.on('error', () => undefined);
  outgoing.end(body && JSON.stringify(body));
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  response.on('error', () => undefined);
  const blocks = (async function* () {
    let text = '';
    for await (const chunk of response.setEncoding('utf8')) {
      text += chunk;
      for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
        yield text.slice(0, end);
        text = text.slice(end + 2);
      }
    }
  })();
  /** The next block; null = the stream is over. */
  const next = async (): Promise<string | null> => {
    const { value, done } = await blocks.next();
    return done ? null : value;
  };
  return { response, next, leave: () => outgoing.destroy() };
}

test('a message is asked first; then its frames come as JSON on message events with their ids', async () => {
  await using surface = await openSurface();
  surface.intake.kept = [{ id: '1.1', frame: { type: 'turn', n: 1, message: 'two\nlines' } }];
  const { response, next, leave } = await open(surface, '/intake/stream', { body: SAY });
  assert.is(response.statusCode, 200);
  assert.is(response.headers['content-type'], 'text/event-stream; charset=utf-8');
  assert.is(await next(), 'retry: 2000');
  assert.is(await next(), 'id: 1.1\ndata: {"type":"turn","n":1,"message":"two\\nlines"}');
  assert.equal(surface.intake.calls, [
    ['ask', SAY],
    ['watch', SESSION_ID, { after: null, turn: 1 }],
  ]);
  surface.intake.sinks[0]?.frames([{ id: null, frame: { type: 'idle' } }]);
  assert.is(await next(), 'data: {"type":"idle"}');
  surface.clock.advance(HEARTBEAT_MS);
  assert.is(await next(), ': still here');
  surface.intake.sinks[0]?.end();
  assert.is(await next(), null);
  leave();
});

test('a refusal is a problem document and not a stream: 503 with reason no-llm, 409 turn-running', async () => {
  await using surface = await openSurface();
  surface.intake.refuses = new SvcError('no-llm', 'Set something up.', {
    data: { reason: 'no-llm' },
  });
  const none = await post(surface, '/intake/stream', SAY);
  assert.equal(problemIn(none), { status: 503, code: 'no-llm', detail: 'Set something up.' });
  assert.is(Object(none.json).reason, 'no-llm');
  surface.intake.refuses = new SvcError('conflict', 'It runs.', {
    data: { reason: 'turn-running' },
  });
  const running = await post(surface, '/intake/stream', SAY);
  assert.is(running.status, 409);
  assert.is(Object(running.json).reason, 'turn-running');
});

test('asking needs a credential, and nothing is asked without one', async () => {
  await using surface = await openSurface();
  const answer = await ask(surface, '/intake/stream', {
    method: 'POST',
    anonymous: true,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(SAY),
  });
  assert.is(answer.status, 401);
  assert.equal(surface.intake.calls, []);
});

test('a body without a session is refused with the place of the mistake', async () => {
  await using surface = await openSurface();
  const answer = await post(surface, '/intake/stream', { message: 'hello' });
  assert.is(answer.status, 422);
  assert.equal(surface.intake.calls, []);
});

test('a snapshot that chooses a model without a name is refused', async () => {
  await using surface = await openSurface();
  const answer = await ask(surface, `/intake/sessions/${SESSION_ID}`, {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ model: { provider: '', model: null } }),
  });
  assert.is(answer.status, 422);
  assert.equal(surface.intake.calls, []);
});

test('a reader comes back with Last-Event-ID; one that is no id of a frame is refused', async () => {
  await using surface = await openSurface();
  const { leave } = await open(surface, STREAM, { headers: { 'Last-Event-ID': '3.17' } });
  assert.equal(surface.intake.calls, [['watch', SESSION_ID, { after: '3.17', turn: null }]]);
  leave();
  const wrong = await ask(surface, STREAM, { headers: { 'Last-Event-ID': 'three' } });
  assert.is(problemIn(wrong).code, 'bad-argument');
  assert.is((await ask(surface, '/intake/sessions/other/stream')).status, 404);
  assert.is((await ask(surface, '/intake/sessions/..%2f/stream')).status, 404);
});

test('a reader that leaves leaves the chat too', async () => {
  await using surface = await openSurface();
  const { leave } = await open(surface, STREAM);
  leave();
  while (surface.intake.left === 0) await new Promise((resolve) => setImmediate(resolve));
  assert.is(surface.intake.left, 1);
});

test('a slow reader is cut while the turn continues', async () => {
  await using surface = await openSurface();
  const socket = connect(surface.port, '127.0.0.1');
  socket.write(`GET ${STREAM} HTTP/1.1\r\nHost: 127.0.0.1:${surface.port}\r\n\r\n`);
  while (surface.intake.sinks.length === 0) await new Promise((resolve) => setImmediate(resolve));
  socket.pause();
  const [sink] = surface.intake.sinks;
  let frameCount = 0;
  while (surface.intake.left === 0) {
    frameCount += 1;
    sink?.frames([{ id: `1.${frameCount}`, frame: { type: 'token', text: 'x'.repeat(60_000) } }]);
    await new Promise((resolve) => setImmediate(resolve));
  }
  assert.ok(frameCount > 4, `cut after ${frameCount} frames`);
  socket.destroy();
});

test('a transcript may be larger than other bodies, up to its own limit', async () => {
  await using surface = await openSurface();
  const items = (bytes: number) => ({ items: ['x'.repeat(bytes)] });
  const path = `/intake/sessions/${SESSION_ID}`;
  const put = (body: unknown) =>
    ask(surface, path, {
      method: 'PUT',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
  assert.is((await put(items(3_000_000))).status, 200);
  assert.is((await put(items(MAX_CHAT_BODY_BYTES))).status, 413);
});

const ANSWER = ['I look. ', 'It is ', 'in src/a.ts:1.', '\n<findings>\nsrc/a.ts:1\n</findings>'];

/** A turn with text, thoughts and look-ups. */
const openChats = () =>
  ChatStage.open(async ({ say, part, look }) => {
    part({ type: 'thinking', text: 'hm' });
    for (const text of ANSWER) {
      say(text);
      await look('scm_read_file', { path: 'src/a.ts' });
      part({ type: 'note', text: 'a note' });
    }
    return undefined;
  });

const over = async (stage: ChatStage, sessionId: string): Promise<void> => {
  const reader = new Reader();
  stage.intake.watch(sessionId, { after: null, turn: null }, reader);
  while (!reader.ended) await settleQueue(1);
};

test('a connection that ends after any frame leaves the same turn as one that does not', async () => {
  const stage = await openChats();
  await using surface = await openSurface({ intake: stage.intake });
  const turnAfter = async (frames: number): Promise<{ stored: unknown; read: number }> => {
    const sessionId = `chat-${frames}`;
    const { next, leave } = await open(surface, '/intake/stream', { body: { ...SAY, sessionId } });
    let read = 0;
    while (read < frames && (await next()) !== null) read += 1;
    leave();
    await over(stage, sessionId);
    const { turns, findings, evidence } = await stage.intake.investigation(sessionId);
    return { stored: { turns, findings, evidence }, read };
  };
  const whole = await turnAfter(1_000);
  assert.ok(whole.read > 15, `${whole.read} frames`);
  for (let frames = 0; frames < whole.read; frames++)
    assert.equal((await turnAfter(frames)).stored, whole.stored, `after ${frames} frames`);
  await stage.close();
});

test('the client hands out each frame once, across connections that are lost', async () => {
  const stage = await openChats();
  await using surface = await openSurface({ intake: stage.intake });
  const client = createClient({ baseUrl: surface.url, token: TOKEN });
  let connections = 0;
  /** Each connection is cut after a few bytes. */
  const cut = async (response: Promise<Response>): Promise<Response> => {
    const { body, headers } = await response;
    connections += 1;
    let remaining = 400;
    const short = body?.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          controller.enqueue(chunk.subarray(0, remaining));
          remaining -= chunk.length;
          if (remaining <= 0) controller.terminate();
        },
      }),
    );
    return new Response(short ?? null, { headers });
  };
  const { signal } = new AbortController();
  const flaky = {
    intakeStream: (...args: Parameters<typeof client.intakeStream>) =>
      cut(client.intakeStream(...args)),
    watchInvestigation: (...args: Parameters<typeof client.watchInvestigation>) =>
      cut(client.watchInvestigation(...args)),
  };
  const got: ReceivedFrame[] = [];
  for await (const frame of sendChatMessage(
    { client: flaky, signal, wait: async () => undefined },
    SAY,
  ))
    got.push(frame);
  assert.ok(connections > 3, `${connections} connections`);
  const text = got.map(({ frame }) => (frame.type === 'token' ? frame.text : '')).join('');
  assert.is(text, (await client.investigation(SESSION_ID)).turns[0]?.answer);
  assert.is(got.at(-1)?.frame.type, 'done');
  assert.equal(
    got.map(({ id }) => id),
    got.map((_, index) => `1.${index + 1}`),
  );
  const later: ReceivedFrame[] = [];
  for await (const frame of watchTurn({ client, signal }, SESSION_ID)) later.push(frame);
  assert.equal(
    later.map(({ frame }) => frame.type),
    ['idle'],
  );
  await stage.close();
});

test.run();
