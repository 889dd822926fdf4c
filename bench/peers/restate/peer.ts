import { createContender } from '../served.ts';
import { restateServer } from './server.ts';

/** Until handlers that wait have been suspended, ms. */
const SUSPENDED_MS = 5_000;

export const restate = createContender({
  name: 'restate',
  workflows: 500,
  server: restateServer,
  parkedMs: SUSPENDED_MS,
  async introduce(ports) {
    const reply = await fetch(`http://127.0.0.1:${ports['admin']}/deployments`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ uri: `http://127.0.0.1:${ports['worker']}` }),
    });
    if (!reply.ok)
      throw new Error(`Restate does not take the service: ${reply.status} ${await reply.text()}`);
  },
});
