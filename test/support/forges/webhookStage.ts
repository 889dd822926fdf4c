import { createHmac } from 'node:crypto';
import { jobChart, type JobContext } from '../../../machines/index.ts';
import type { Hook } from '../../../src/contract/forge/hook.ts';
import type { DeliveredEvent } from '../../../src/contract/forge/deliveredEvent.ts';
import type { JobTracker } from '../../../src/contract/forge/tracker.ts';
import { createKernel } from '../../../src/kernel/kernel.ts';
import { SvcError } from '../../../src/base/errors/errors.ts';
import type { CreateJob } from '../../../src/jobs/create/createJob.ts';
import { Triggers } from '../../../src/forges/inbound/triggers.ts';
import { createWebhooks } from '../../../src/forges/inbound/webhooks.ts';
import type { TriggerRule } from '../../../src/contract/schema/forge/trigger.ts';
import { createForges } from '../../../src/providers/forges.ts';
import { parseWakeRules } from '../../../src/providers/rest/wakeRules.ts';
import { openStore } from '../../../src/jobs/store/openStore.ts';
import { githubWebhook } from '../../../src/providers/github/plugin.ts';
import { createTrackers } from '../../../src/providers/trackers.ts';
import { bitbucketWebhook } from '../../../src/providers/bitbucket/hooks.ts';
import { gitlabWebhook } from '../../../src/providers/gitlab/hooks.ts';
import { createJiraWebhook } from '../../../src/providers/jira/hooks.ts';
import { linearWebhook } from '../../../src/providers/linear/hooks.ts';
import { createTickReader, HOOK_SECRET, HUB, hubReader, slackReader } from './installedReaders.ts';
import { JOB_WORKFLOW } from '../charts/jobSteps.ts';
import { SimulatedClock } from '../charts/simulatedClock.ts';

const silent = async () => {};

export const rule = (more: Partial<TriggerRule> = {}): TriggerRule => ({
  id: 'bugs',
  enabled: true,
  plugin: 'github',
  events: ['issue.labeled'],
  repos: [],
  labels: ['svc'],
  text: '',
  authors: [],
  workflow: 'workflows/job.md',
  type: 'job',
  params: { jiraTicketId: '{{ticket}}', description: '{{title}}' },
  perHour: 5,
  repeat: 'when-ended' as const,
  ...more,
});

let serial = 0;
/** An issue of GitHub and what `login` has done with it, as GitHub tells it; no two are equal. */
export const issueEvent = (action: string, login: string, more: Record<string, unknown> = {}) => {
  serial += 1;
  const {
    number = 3,
    comment,
    user = 'eve',
    at = '2026-01-01T00:00:00Z',
    title = 'It is broken',
    ...rest
  } = more;
  return {
    action,
    serial,
    repository: { full_name: 'acme/shop' },
    sender: { login, type: 'User' },
    issue: {
      number,
      title,
      body: 'Fix it.',
      labels: [{ name: 'svc' }],
      html_url: `https://github.com/acme/shop/issues/${number}`,
      user: { login: user },
      author_association: 'NONE',
      updated_at: at,
    },
    ...(action === 'labeled' ? { label: { name: 'svc' } } : {}),
    ...(comment === undefined
      ? {}
      : {
          comment: {
            id: serial,
            body: comment,
            user: { login },
            author_association: 'MEMBER',
            created_at: at,
            html_url: `https://github.com/acme/shop/issues/${number}#issuecomment-${serial}`,
          },
        }),
    ...rest,
  };
};

/**
 * The webhooks of a runner with a store in memory, the real chart of jobs, and effects that do
 * nothing. `isMember`: what the provider says of an author when it is asked; default: it cannot be
 * asked.
 */
export async function webhookStage(
  rules: readonly TriggerRule[] = [],
  wakeAuthors = '',
  isMember?: Hook['isMember'],
) {
  const clock = new SimulatedClock(Date.parse('2026-01-01T00:00:00Z'));
  const store = openStore({ file: ':memory:', pid: 1, now: clock.now() });
  const commits: { rows: string[] }[] = [];
  const nudges: string[] = [];
  const kernel = createKernel({
    screen: null,
    store: store.durable,
    charts: [jobChart],
    clock,
    ports: {
      'phase.prepare': silent,
      'session.open': silent,
      'session.stop': silent,
      'forge.write': silent,
    },
  });
  await kernel.start();
  const { rows, durable } = store;
  const isLive = (id: string) => (durable.actor(id)?.index.activity ?? 'ended') !== 'ended';
  const lines: Record<string, unknown>[] = [];
  const log = {
    info: (line: object) => void lines.push({ ...line }),
    warn: (line: object) => void lines.push({ ...line }),
  };
  const stage = {
    refuse: null as SvcError | null,
    /** What the team answers a rule that asks for its job: null = it may; an error = it cannot be asked. */
    denial: null as string | SvcError | null,
    /** What the plugin of the tracker `tick` makes of a delivery. */
    translate: async (_delivery: unknown): Promise<DeliveredEvent | null> => null,
  };
  let jobs = 0;
  /** As POST /jobs, without the checks of workflow and repository. */
  const createJob: CreateJob = async ({ type, workflowPath, params }, _request, origin) => {
    if (stage.refuse) throw stage.refuse;
    jobs += 1;
    const id = `shop-job-${jobs}`;
    const all = origin ? { ...params, trigger: origin.trigger } : params;
    const limits = { gateBlocks: 5, sessionsPerVisit: 10 };
    const place = {
      id,
      type,
      tenantId: 't',
      workflowPath,
      workflow: JOB_WORKFLOW,
      interactive: true,
      createdAt: clock.now(),
    };
    await kernel.submit({
      starts: [{ chart: 'job', id, input: { ...place, params: all, limits } }],
      rows: origin?.rows(id) ?? [],
      allOrNothing: true,
    });
    return { jobId: id, status: 'queued', streamUrl: '' };
  };
  const triggers = new Triggers({
    rules,
    rows,
    isLive,
    createJob,
    async askClaim() {
      if (stage.denial instanceof SvcError) throw stage.denial;
      return stage.denial;
    },
    log: log as never,
    now: () => clock.now(),
  });
  const hook = {
    ...(isMember ? { isMember } : {}),
    rules: parseWakeRules(wakeAuthors, 'grump'),
    selfIsPerson: false,
    ownIds: async () => ['svc-robot'],
  };
  const webhooks = createWebhooks({
    hooks: () => ({
      github: { read: githubWebhook(HOOK_SECRET), ...hook },
      gitlab: { read: gitlabWebhook(HOOK_SECRET), ...hook },
      bitbucket: { read: bitbucketWebhook(HOOK_SECRET), ...hook },
      jira: { read: createJiraWebhook('')(HOOK_SECRET), ...hook },
      linear: { read: linearWebhook(HOOK_SECRET), ...hook },
      hub: { read: hubReader, ...hook },
      slack: { read: slackReader, ...hook },
      tick: { read: createTickReader((delivery) => stage.translate(delivery)), ...hook },
    }),
    listForwardedHooks: () => ({
      github: { read: githubWebhook(null), ...hook },
      slack: { read: slackReader, ...hook },
    }),
    trackers: createTrackers(() =>
      ['jira', 'tick'].map(
        (id) => ({ id, serves: () => true }) as Partial<JobTracker> as JobTracker,
      ),
    ),
    isPluginChanging: (id) => id === 'changing',
    explainNoWebhooks: (id) =>
      `Webhooks for ${id} are not accepted: set plugins.installed.${id}.config.webhookSecret.`,
    readParams: (id) => Object(kernel.state(id)?.context).params,
    place: (id) => Object(kernel.state(id)?.context),
    rows,
    prs: store.prs,
    isLive,
    triggers,
    forges: createForges([HUB]),
    nudge: (forge) => void nudges.push(forge),
    now: () => clock.now(),
    async commit(work) {
      commits.push({ rows: work.rows.map(({ table }) => table) });
      return kernel.submit(work);
    },
  });
  const signBody = (body: string) =>
    `sha256=${createHmac('sha256', HOOK_SECRET).update(body).digest('hex')}`;
  const signed = {
    gitlab: (_body: string, id: string) => ({
      'x-gitlab-token': HOOK_SECRET,
      'idempotency-key': id,
    }),
    bitbucket: (body: string, id: string) => ({
      'x-hub-signature': signBody(body),
      'x-request-uuid': id,
    }),
    jira: (body: string, id: string) => ({
      'x-hub-signature': signBody(body),
      'x-atlassian-webhook-identifier': id,
    }),
    linear: (body: string, id: string) => ({
      'linear-signature': signBody(body).replace('sha256=', ''),
      'linear-delivery': id,
    }),
  };
  return Object.assign(stage, {
    deliver(provider: keyof typeof signed, payload: object, id = `delivery-${++serial}`) {
      const body = JSON.stringify(
        provider === 'linear' ? { webhookTimestamp: clock.now(), ...payload } : payload,
      );
      const rawBody = Buffer.from(body);
      return webhooks.webhook(provider, { headers: signed[provider](body, id), rawBody });
    },
    clock,
    kernel,
    store,
    rows,
    triggers,
    webhooks,
    lines,
    commits,
    nudges,
    /** Through the control plane, which has verified it. */
    forward(
      payload: object,
      { id = `delivery-${++serial}`, rule: offered = null as string | null } = {},
    ) {
      const rawBody = Buffer.from(JSON.stringify(payload));
      const headers = { 'x-github-delivery': id };
      const receivedAt = clock.now();
      return webhooks.forwarded({
        pluginId: 'github',
        headers,
        rawBody,
        receivedAt,
        rule: offered,
      });
    },
    github(payload: object, id = `delivery-${++serial}`) {
      const body = JSON.stringify(payload);
      const headers = { 'x-github-delivery': id, 'x-hub-signature-256': signBody(body) };
      return webhooks.webhook('github', { headers, rawBody: Buffer.from(body) });
    },
    jira(payload: object, id = `delivery-${++serial}`) {
      const body = JSON.stringify(payload);
      const headers = {
        'x-atlassian-webhook-identifier': id,
        'x-hub-signature': signBody(body),
      };
      return webhooks.webhook('jira', { headers, rawBody: Buffer.from(body) });
    },
    tick: (payload: object, id = `delivery-${++serial}`) =>
      webhooks.webhook('tick', {
        headers: { 'x-id': id, 'x-secret': HOOK_SECRET },
        rawBody: Buffer.from(JSON.stringify(payload)),
      }),
    /** Delivers to an installed forge; without an id where it is null. */
    hub: (payload: object, id: string | null) =>
      webhooks.webhook('hub', {
        headers: { 'x-secret': HOOK_SECRET, ...(id === null ? {} : { 'x-id': id }) },
        rawBody: Buffer.from(JSON.stringify(payload)),
      }),
    job: async (params: Record<string, unknown>) =>
      (await createJob({ type: 'job', workflowPath: 'workflows/job.md', params })).jobId,
    context: (id: string) => kernel.state(id)?.context as JobContext,
    cancel: (id: string) =>
      kernel.send(id, { type: 'job.cancel', reason: null } as { type: string }),
    /** The job's log, each line with its tag. */
    log: (id: string) =>
      durable
        .frames(id, 0, 1_000)
        .filter(({ kind }) => kind === 'log')
        .map(({ data }) => `[${Object(data).tag}] ${Object(data).line}`),
    inbox: (id: string) =>
      rows
        .all('inbox_items', { job_id: id }, { order: 'n' })
        .map(({ kind, author, text, pr_id }) => [kind, author, text, pr_id]),
    async end() {
      await kernel.stop(0);
      store.close();
    },
  });
}
