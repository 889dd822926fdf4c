import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';
import { answerCalls } from '../hostProcess.ts';

/** Sends back each frame: what a round trip takes with nothing behind it. */
const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
server.on('connection', (socket) => {
  socket.on('message', (data) => socket.send(data));
});

const calls = { port: (): number => (server.address() as AddressInfo).port };

export type EchoHostCalls = typeof calls;

answerCalls(calls);
