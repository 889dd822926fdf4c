import { atLeast } from '../figure.ts';
import { HostProcess } from '../hostProcess.ts';
import type { KoaHostCalls } from '../hosts/koaHost.ts';
import { HttpConnection, loadRate, requestBytes } from '../httpConnection.ts';
import { richHome } from '../richHome.ts';
import { RunnerUnderTest } from '../runnerUnderTest.ts';
import { median } from '../statistics.ts';
import type { Row } from './row.ts';

const ROUNDS = 7;
const ROUND_MS = 700;
const CONNECTIONS = 32;

/** `GET /jobs/:id` of the bundled runner against bare Koa that sends the bytes of such a reply. */
export const getJobRow: Row = {
  figures: ['http.job'],
  async measure(lab, note) {
    const { home, ids } = await richHome(lab);
    const requests = ids.map((id) => requestBytes('GET', `/jobs/${id}`));
    const bareRequests = [requestBytes('GET', '/')];
    const runner = await RunnerUnderTest.start(await lab.program(), home);
    try {
      await using bare = await HostProcess.start<KoaHostCalls>(lab, 'koaHost');
      const barePort = await bare.call('port');
      const connection = await HttpConnection.open(runner.port);
      const reply = await connection.ask(requestBytes('GET', `/jobs/${ids[0]}`));
      connection.close();
      await bare.call('answer', reply);
      const measureBoth = async () => ({
        job: await loadRate(runner.port, requests, CONNECTIONS, ROUND_MS),
        koa: await loadRate(barePort, bareRequests, CONNECTIONS, ROUND_MS),
      });
      await measureBoth();
      const rates: { job: number; koa: number }[] = [];
      for (let round = 0; round < ROUNDS; round++) rates.push(await measureBoth());
      note(
        `bare Koa: ${Math.round(median(rates.map(({ koa }) => koa)))}/s of ${reply.length} bytes`,
      );
      const value = median(rates.map(({ job }) => job));
      const ratio = median(rates.map(({ job, koa }) => job / koa));
      return { 'http.job': atLeast({ value, unit: '/s', ratio, target: 0.2 }) };
    } finally {
      await runner.end('SIGTERM');
    }
  },
};
