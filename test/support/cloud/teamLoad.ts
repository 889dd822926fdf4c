import { createHmac, randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';

/** Between two of a kind, ms: together below the 600 requests a minute that one person may make. */
const EVERY_MS = { dispatch: 1_500, list: 400, job: 700, webhook: 400 } as const;
/** Before the same request is sent again, ms. */
const AGAIN_MS = 200;
/** Longest answer, ms: a dispatch is answered after 10 s at the latest. */
const ANSWER_MS = 30_000;

interface Answer {
  status: number;
  body: ReturnType<typeof JSON.parse>;
}

export interface LoadPlace {
  /** Address of the control plane. */
  url: string;
  teamId: string;
  token: string;
  webhookSecret: string;
}

interface AskOptions {
  method?: 'GET' | 'POST';
  headers?: Record<string, string>;
  body?: string;
}

/** What members, their dashboards and a sender of webhooks do all day, each request until it has succeeded. */
export class TeamLoad {
  readonly #place: LoadPlace;
  readonly #stopping = new AbortController();
  #running: Promise<unknown> = Promise.resolve();
  /** Jobs by the key of their request; null = the answer named the dispatch. */
  readonly dispatched = new Map<string, string | null>();
  /** IDs of the webhooks that were accepted. */
  readonly deliveries: string[] = [];
  readonly approved = new Set<string>();
  /** What was not answered with a success: kind, status and code, with how often. */
  readonly refused = new Map<string, number>();
  asked = 0;

  constructor(place: LoadPlace) {
    this.#place = place;
  }

  start(): void {
    const loops = [
      this.#repeat(EVERY_MS.dispatch, () => this.#dispatch()),
      this.#repeat(EVERY_MS.list, () => this.#ask('list', '/jobs?limit=50')),
      this.#repeat(EVERY_MS.job, () => this.#approveOne()),
      this.#repeat(EVERY_MS.webhook, () => this.#sendWebhook()),
    ];
    this.#running = Promise.all(loops);
  }

  /** Each request that has begun ends first. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  /** Jobs of the team. */
  async listJobs(): Promise<{ id: string; status: string }[]> {
    return (await this.#ask('list', '/jobs?limit=500')).body;
  }

  /** Dispatches whose job is not known yet, such as one that a node had sent when it ended. */
  async listOpenDispatches(): Promise<{ id: string; reason: string }[]> {
    return (await this.#ask('list', '/dispatches?state=waiting,sent&limit=500')).body;
  }

  /** Deliveries that a runner has not taken yet, of all runners. */
  async countWaitingDeliveries(): Promise<number> {
    const { webhooks } = (await this.#ask('list', '/webhooks')).body;
    const runners: { waiting: number }[] = webhooks.flatMap(
      (webhook: { runners: object[] }) => webhook.runners,
    );
    return runners.reduce((sum, { waiting }) => sum + waiting, 0);
  }

  /** Approves each job that waits for it; true = none is left. */
  async approveAll(): Promise<boolean> {
    const openJobs = (await this.listJobs()).filter(({ status }) => status !== 'complete');
    for (const { id } of openJobs) await this.#approve(id);
    return openJobs.length === 0;
  }

  async #repeat(everyMs: number, act: () => Promise<unknown>): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      await act();
      await wait(everyMs, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
    }
  }

  async #dispatch(): Promise<void> {
    const key = randomUUID();
    const { body } = await this.#ask('dispatch', '/jobs', {
      method: 'POST',
      headers: { 'Idempotency-Key': key },
      body: JSON.stringify({
        type: 'job',
        workflowPath: 'workflows/story.md',
        params: { description: `Number ${this.dispatched.size}` },
      }),
    });
    this.dispatched.set(key, body.jobId ?? null);
  }

  async #approveOne(): Promise<void> {
    const waiting = [...this.dispatched.values()].find(
      (jobId) => jobId !== null && !this.approved.has(jobId),
    );
    if (typeof waiting === 'string') await this.#approve(waiting);
  }

  async #approve(jobId: string): Promise<void> {
    const { body: job } = await this.#ask('job', `/jobs/${jobId}`);
    if (job.status === 'complete') this.approved.add(jobId);
    if (job.parked?.kind !== 'approval') return;
    const shownHash = job.approval?.shown;
    await this.#ask('approval', `/jobs/${jobId}/resume`, {
      method: 'POST',
      headers: { 'Idempotency-Key': `approve-${jobId}` },
      body: JSON.stringify({ eventKey: 'approve', ...(shownHash ? { shown: shownHash } : {}) }),
    });
    this.approved.add(jobId);
  }

  async #sendWebhook(): Promise<void> {
    const id = `drill-${this.deliveries.length}`;
    const { teamId, webhookSecret } = this.#place;
    const body = JSON.stringify({ action: 'opened', id, repository: { full_name: 'acme/shop' } });
    const digest = createHmac('sha256', webhookSecret).update(body).digest('hex');
    await this.#ask('webhook', `/webhook/${teamId}/github`, {
      method: 'POST',
      headers: {
        'X-GitHub-Event': 'ping',
        'X-GitHub-Delivery': id,
        'X-Hub-Signature-256': `sha256=${digest}`,
      },
      body,
    });
    this.deliveries.push(id);
  }

  /** The same request until it succeeds. */
  async #ask(kind: string, path: string, options: AskOptions = {}): Promise<Answer> {
    for (;;) {
      this.asked += 1;
      const answer = await this.#send(path, options).catch((error: unknown) =>
        String(Object(error).code ?? error),
      );
      if (typeof answer !== 'string' && answer.status < 300) return answer;
      const why = typeof answer === 'string' ? answer : `${answer.status} ${answer.body?.code}`;
      this.refused.set(`${kind}: ${why}`, (this.refused.get(`${kind}: ${why}`) ?? 0) + 1);
      await wait(AGAIN_MS);
    }
  }

  /** On a connection of its own, as a load balancer opens them: which node answers is decided each time. */
  #send(path: string, { method = 'GET', headers = {}, body }: AskOptions): Promise<Answer> {
    const { url, teamId, token } = this.#place;
    const isWebhook = path.startsWith('/webhook/');
    return new Promise((resolve, reject) => {
      const outgoing = request(
        `${url}${isWebhook ? '' : `/teams/${teamId}`}${path}`,
        {
          method,
          agent: false,
          timeout: ANSWER_MS,
          headers: {
            'Content-Type': 'application/json',
            ...(isWebhook ? {} : { Authorization: `Bearer ${token}` }),
            ...headers,
          },
        },
        (reply) => {
          let text = '';
          reply.setEncoding('utf8');
          reply.on('data', (piece: string) => {
            text += piece;
          });
          reply.once('error', reject);
          reply.once('end', () => {
            resolve({ status: reply.statusCode ?? 0, body: text === '' ? null : JSON.parse(text) });
          });
        },
      );
      outgoing.once('error', reject);
      outgoing.once('timeout', () => outgoing.destroy(new Error('no answer')));
      outgoing.end(body);
    });
  }
}
