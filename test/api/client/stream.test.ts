import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createClient } from '../../../src/api/client/client.ts';
import { ClientError } from '../../../src/api/client/problem.ts';
import { type FollowOptions, followJob, type StreamFrame } from '../../../src/api/client/stream.ts';
import { SvcError } from '../../../src/base/errors/errors.ts';
import { JOB_ID } from '../../support/http/fakeFacade.ts';
import { openSurface, type Surface } from '../../support/http/httpSurface.ts';

const test = suite('client stream');

const log = (line: string) => ({ kind: 'log', data: { line } });

/** Follows the job of a surface; `frames` fills as they come. */
function following(surface: Surface, options: Partial<FollowOptions> = {}) {
  const frames: StreamFrame[] = [];
  const waits: number[] = [];
  const stop = new AbortController();
  const result = followJob({
    client: createClient({ baseUrl: surface.url }),
    jobId: JOB_ID,
    after: 0,
    signal: stop.signal,
    wait: async (ms) => void waits.push(ms),
    ...options,
    onFrame(frame) {
      frames.push(frame);
      options.onFrame?.(frame);
    },
  });
  return { frames, waits, stop, result };
}

/** A client whose connections are what the test wrote: texts of streams, or errors. */
function scriptConnections(...connections: (string | Error)[]) {
  const lastEventIds: (number | string | undefined)[] = [];
  const stream: FollowOptions['client']['stream'] = async (_id, _query, { lastEventId } = {}) => {
    lastEventIds.push(lastEventId);
    const next = connections.shift();
    if (next === undefined) throw new Error('asked once more than written');
    if (next instanceof Error) throw next;
    return new Response(next);
  };
  return { client: { stream }, lastEventIds };
}

const unreachable = () => new SvcError('unreachable', 'gone');
const frame = (n: number) => `id: ${n}\nevent: log\ndata: {"line":"${n}"}\n\n`;
const bye = 'event: bye\ndata: {"reason":"ended"}\n\n';
const stopping = 'event: bye\ndata: {"reason":"stopping"}\n\n';

async function follow(connections: (string | Error)[], after = 0) {
  const { client, lastEventIds } = scriptConnections(...connections);
  const frames: number[] = [];
  const waits: number[] = [];
  const result = await followJob({
    client,
    jobId: JOB_ID,
    after,
    signal: new AbortController().signal,
    wait: async (ms) => void waits.push(ms),
    onFrame: ({ n }) => void frames.push(n),
  });
  return { lastEventIds, frames, waits, result };
}

test('a job is followed from its first frame to its end (HTTP-3)', async () => {
  await using surface = await openSurface();
  surface.runner.emit(log('one'), { kind: 'state', data: { status: 'coding' } });
  const { frames, result } = following(surface, {
    onFrame({ n }) {
      if (n === 2) surface.runner.emit(log('three'));
      if (n === 3) surface.runner.bye('ended');
    },
  });
  assert.equal(await result, { ended: true, after: 3 });
  assert.equal(frames, [
    { n: 1, kind: 'log', data: { line: 'one' } },
    { n: 2, kind: 'state', data: { status: 'coding' } },
    { n: 3, kind: 'log', data: { line: 'three' } },
  ]);
});

test('the signal ends the stream and leaves the job alone (HTTP-3)', async () => {
  await using surface = await openSurface();
  surface.runner.emit(log('one'));
  const { stop, result } = following(surface, { onFrame: () => stop.abort() });
  assert.equal(await result, { ended: false, after: 1 });
});

test('across a stop of the runner nothing is lost and nothing comes twice (HTTP-3)', async () => {
  const { lastEventIds, frames, waits, result } = await follow([
    frame(1) + frame(2) + stopping,
    unreachable(),
    unreachable(),
    frame(2) + frame(3) + bye,
  ]);
  assert.equal(frames, [1, 2, 3]);
  assert.equal(lastEventIds, [0, 2, 2, 2]);
  assert.equal(waits, [250, 500, 1000]);
  assert.equal(result, { ended: true, after: 3 });
});

test('a connection that breaks in the middle of a frame is resumed after the last whole one (HTTP-3)', async () => {
  const { lastEventIds, frames } = await follow([
    `${frame(1)}id: 2\nevent: log\ndata: {"li`,
    frame(2) + bye,
  ]);
  assert.equal(lastEventIds, [0, 1]);
  assert.equal(frames, [1, 2]);
});

test('the wait doubles up to eight seconds and starts again with the first frame (HTTP-3)', async () => {
  const { waits } = await follow([
    frame(1),
    ...Array.from({ length: 6 }, unreachable),
    frame(2),
    unreachable(),
    bye,
  ]);
  assert.equal(waits, [250, 500, 1000, 2000, 4000, 8000, 8000, 250, 500]);
});

test('a reader that is cut for being slow reconnects and loses no frame (HTTP-3)', async () => {
  const { lastEventIds, frames } = await follow([
    `${frame(1)}event: gap\ndata: {"reason":"slow-reader","after":9,"next":null}\n\n`,
    frame(2) + bye,
  ]);
  assert.equal(lastEventIds, [0, 1]);
  assert.equal(frames, [1, 2]);
});

test('frames that are no longer kept are reported as a gap (HTTP-3)', async () => {
  const { client } = scriptConnections(
    `event: gap\ndata: {"reason":"trimmed","after":0,"next":7}\n\n${frame(7)}${bye}`,
  );
  const frames: StreamFrame[] = [];
  await followJob({
    client,
    jobId: JOB_ID,
    after: 0,
    signal: new AbortController().signal,
    onFrame: (each) => void frames.push(each),
  });
  assert.equal(frames, [
    { n: 6, kind: 'gap', data: { reason: 'trimmed', after: 0, next: 7 } },
    { n: 7, kind: 'log', data: { line: '7' } },
  ]);
});

test('a first connection that fails, and any refusal, is thrown', async () => {
  const catchStreamError = async (...connections: (string | Error)[]) => {
    try {
      return await follow(connections);
    } catch (error) {
      return error;
    }
  };
  const networkError = unreachable();
  assert.is(await catchStreamError(networkError), networkError);
  const missing = new ClientError({
    type: '',
    title: '',
    status: 404,
    detail: 'no such job',
    code: 'not-found',
    requestId: 'r',
  });
  assert.is(await catchStreamError(frame(1), missing), missing);
});

test('what onFrame throws is rethrown, even an error that looks like a lost connection', async () => {
  const { client } = scriptConnections(frame(1) + bye);
  const bug = new TypeError('a bug of the reader');
  try {
    await followJob({
      client,
      jobId: JOB_ID,
      after: 0,
      signal: new AbortController().signal,
      onFrame() {
        throw bug;
      },
    });
    assert.unreachable('it was not thrown');
  } catch (error) {
    assert.is(error, bug);
  }
});

test.run();
