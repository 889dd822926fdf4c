import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { OwnRequests } from '../../../src/api/server/ownRequests.ts';

const test = suite('requests of the process itself');

function openRequest() {
  const socket = new Socket();
  const req = new IncomingMessage(socket);
  const res = new ServerResponse(req);
  res.assignSocket(socket);
  return { req, res };
}

test('a stop waits for those that are being answered', async () => {
  const urls: string[] = [];
  const requests = new OwnRequests((req) => void urls.push(req.url ?? ''));
  const { req, res } = openRequest();
  req.url = '/jobs';
  requests.answer(req, res);
  assert.equal(urls, ['/jobs']);
  let isIdle = false;
  const idle = requests.idle().then(() => {
    isIdle = true;
  });
  await Promise.resolve();
  assert.is(isIdle, false);
  res.socket?.destroy();
  await idle;
  await requests.idle();
});

test('what is still being answered at its deadline is cut', async () => {
  const requests = new OwnRequests(() => undefined);
  const one = openRequest();
  const two = openRequest();
  requests.answer(one.req, one.res);
  requests.answer(two.req, two.res);
  requests.cut();
  await requests.idle();
  assert.is(one.res.destroyed, true);
  assert.is(two.res.destroyed, true);
});

test.run();
