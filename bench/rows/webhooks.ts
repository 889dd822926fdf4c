import { commentDeliveries, HOOK_REPO, HOOK_SECRET, reviewDeliveries } from '../deliveries.ts';
import { atLeast, under } from '../figure.ts';
import { writeHome } from '../home.ts';
import { HostProcess } from '../hostProcess.ts';
import type { KoaHookHostCalls } from '../hosts/koaHookHost.ts';
import type { RunnerHostCalls } from '../hosts/runnerHost.ts';
import { openJobKernel } from '../jobKernel.ts';
import { parkedId, SILENT_PORTS, seedParked } from '../seedJobs.ts';
import { SENDERS, sendAll } from '../sendAll.ts';
import { percentile } from '../statistics.ts';
import type { Row } from './row.ts';

const DELIVERIES = 10_000;
const WARM_UP = 2_000;
const JOBS = 1_000;

/**
 * Webhooks over HTTP, as GitHub sends them, to a runner with jobs that are parked: a comment on a
 * job's ticket is answered when it is in the job's journal, with the delivery's id, in one commit.
 * Beside it bare Koa that verifies the same HMAC and keeps nothing.
 */
export const webhooksRow: Row = {
  figures: ['webhook.rate', 'webhook.cpu', 'webhook.p50', 'webhook.p99', 'webhook.prs'],
  async measure(lab, note) {
    const home = lab.folder('webhooks');
    writeHome(home);
    const seeded = await openJobKernel(home, SILENT_PORTS);
    await seedParked(seeded.kernel, 0, JOBS, (n) => ({ jiraTicketId: `${HOOK_REPO}#${n + 1}` }));
    await seeded.kernel.submit({ rows: Array.from({ length: JOBS }, (_, n) => mapping(n)) });
    await seeded[Symbol.asyncDispose]();

    const comments = commentDeliveries(WARM_UP + DELIVERIES, JOBS);
    const reviews = reviewDeliveries(DELIVERIES, JOBS);
    await using host = await HostProcess.start<RunnerHostCalls>(
      lab,
      'runnerHost',
      home,
      'instant',
      HOOK_SECRET,
    );
    await using bare = await HostProcess.start<KoaHookHostCalls>(lab, 'koaHookHost', HOOK_SECRET);
    const [port, barePort] = [await host.call('port'), await bare.call('port')];
    await sendAll(barePort, comments.slice(0, WARM_UP));
    await sendAll(port, comments.slice(0, WARM_UP));

    const before = await host.call('commits');
    const cpu = await host.call('cpu');
    const reported = await sendAll(port, comments.slice(WARM_UP));
    const commits = (await host.call('commits')) - before;
    const busy = (await host.call('cpu')) - cpu;
    const koa = await sendAll(barePort, comments.slice(WARM_UP));
    const inboxCount = await host.call('inbox');
    if (inboxCount !== WARM_UP + DELIVERIES)
      throw new Error(
        `${inboxCount} of ${WARM_UP + DELIVERIES} comments are in the inboxes of jobs`,
      );
    const reviewTimes = await sendAll(port, reviews);
    note(
      `bare Koa: ${Math.round(koa.rate)}/s, p50 ${percentile(koa.ms, 50).toFixed(2)} ms, p99 ${percentile(koa.ms, 99).toFixed(2)} ms`,
    );
    note(
      `${DELIVERIES} comments of ${comments[0]?.length} bytes by ${SENDERS} senders in ${commits} commits`,
    );
    note(
      `reviews of ${reviews[0]?.length} bytes: p50 ${percentile(reviewTimes.ms, 50).toFixed(1)} ms, p99 ${percentile(reviewTimes.ms, 99).toFixed(1)} ms`,
    );
    return {
      'webhook.rate': atLeast({
        value: reported.rate,
        unit: '/s',
        ratio: reported.rate / koa.rate,
        target: 0.1,
      }),
      // What holds whatever else the machine does meanwhile.
      'webhook.cpu': under({ value: busy / DELIVERIES, unit: 'ms', target: 1 }),
      'webhook.p50': under({ value: percentile(reported.ms, 50), unit: 'ms', target: 100 }),
      'webhook.p99': under({ value: percentile(reported.ms, 99), unit: 'ms', target: 300 }),
      'webhook.prs': atLeast({
        value: reviewTimes.rate,
        unit: '/s',
        ratio: reviewTimes.rate / koa.rate,
        target: 0.1,
      }),
    };
  },
};

const mapping = (n: number) => {
  const pr = {
    forge: 'github',
    repo: HOOK_REPO,
    number: n + 1,
    job_id: parkedId(n),
    pr_id: `github:${HOOK_REPO}#${n + 1}`,
  };
  return {
    op: 'put' as const,
    table: 'pr_mappings',
    row: { ...pr, title: '', head: 'h', base: 'main', url: '', state: 'open' },
  };
};
