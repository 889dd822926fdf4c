import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createEmailChannel } from '../../../src/notifications/channels/emailChannel.ts';
import { makeItem, makeMessage } from '../../support/notifications/makeMessage.ts';

const test = suite('notifications: e-mail');

const { signal } = new AbortController();

/** A server with a login, and the mails that it has taken. */
async function openServer(options: SMTPServerOptions = {}) {
  const mails: string[] = [];
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    onAuth: ({ username, password }, _session, callback) =>
      username === 'ana' && password === 'secret-of-ana'
        ? callback(null, { user: 'ana' })
        : callback(new Error('Authentication failed')),
    onData(stream, _session, callback) {
      let mail = '';
      stream.on('data', (part: Buffer) => {
        mail += part.toString();
      });
      stream.on('end', () => {
        mails.push(mail);
        callback();
      });
    },
    ...options,
  });
  const sockets = new Set<Socket>();
  server.on('error', () => {});
  server.server.on('connection', (socket: Socket) => sockets.add(socket));
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;
  return {
    port,
    mails,
    cut() {
      for (const socket of sockets) socket.destroy();
    },
    close: () => new Promise<void>((resolve) => server.close(resolve)),
  };
}

const open = (port: number, password = 'secret-of-ana') =>
  createEmailChannel({
    host: '127.0.0.1',
    port,
    user: 'ana',
    password,
    from: 'svc <svc@example.com>',
    to: ['ana@example.com', 'bo@example.com'],
  });

test('a mail has subject, text, link and an id that stays', async () => {
  const server = await openServer();
  const message = makeMessage([makeItem({ title: 'Fix the cart\r\nBcc: eve@example.com' })]);
  assert.equal(await open(server.port).send(message, signal), { is: 'delivered' });
  await server.close();
  // Lines of quoted-printable end with `=` where they are cut.
  const mail = server.mails[0]?.replace(/=\r\n/g, '') ?? '';
  assert.match(mail, /^Subject: \[svc\] Failed: Fix the cart/m);
  assert.match(mail, /^Message-ID: <msg_1@svc.invalid>/m);
  assert.match(mail, /^Auto-Submitted: auto-generated/m);
  assert.match(mail, 'https://svc.example.com/dashboard/#/jobs/j1');
  assert.not.match(mail.split('\r\n\r\n', 1)[0] ?? '', /^Bcc:/m);
});

test('a wrong password, a refused recipient and a busy server have surely taken nothing', async () => {
  const server = await openServer();
  const wrong = await open(server.port, 'other-password').send(makeMessage(), signal);
  await server.close();
  assert.is(wrong.is, 'refused');
  const refusing = await openServer({
    onRcptTo: (_address, _session, callback) => callback(new Error('No such user')),
  });
  const refused = await open(refusing.port).send(makeMessage(), signal);
  await refusing.close();
  assert.is(refused.is, 'refused');
  const outcome = await open(refusing.port).send(makeMessage(), signal);
  assert.is(outcome.is, 'refused');
});

test('whether a server has taken a mail that it closed the connection at is unknown', async () => {
  const server = await openServer({
    onData: (stream) => {
      stream.resume().once('end', () => server.cut());
    },
  });
  const outcome = await open(server.port).send(makeMessage(), signal);
  await server.close();
  assert.is(outcome.is, 'uncertain');
});

test('a login goes to another machine only over TLS', async () => {
  const server = await openServer();
  const channel = createEmailChannel({
    host: 'localhost.localdomain',
    port: server.port,
    user: 'ana',
    password: 'secret-of-ana',
    from: 'svc@example.com',
    to: ['ana@example.com'],
  });
  const outcome = await channel.send(makeMessage(), signal);
  await server.close();
  assert.is(outcome.is, 'refused');
  assert.equal(server.mails, []);
});

test.run();
