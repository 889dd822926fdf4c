import { get } from 'node:http';
import { readToken } from '../../../src/host/config/home/runnerToken.ts';
import { SvcError } from '../../../src/shared/errors/errors.ts';

/** Longest wait for the answer, ms. */
const ANSWER_MS = 10_000;

/** Resolves where the runner at the address answers that it is healthy. Rejects with SvcError. */
export async function checkHealth(url: string, tokenFile: string): Promise<void> {
  const token = await readToken(tokenFile);
  const status = await new Promise<number>((resolve, reject) => {
    const headers = token === null ? {} : { authorization: `Bearer ${token}` };
    // Not `fetch`: a proxy of the environment is for other machines.
    const request = get(`${url}/health`, { headers, timeout: ANSWER_MS, agent: false }, (reply) => {
      reply.resume();
      resolve(reply.statusCode ?? 0);
    });
    request.on('timeout', () => request.destroy(new Error('no answer')));
    request.on('error', reject);
  });
  if (status !== 200) throw new SvcError('conflict', `GET ${url}/health answered ${status}.`);
}
