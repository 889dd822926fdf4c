import { type Client, createClient } from '../../src/api/client/client.ts';
import { refuseBad, toUnreachableError } from '../../src/api/client/problem.ts';
import type { ForgeView } from '../../src/contract/schema/forge/forge.ts';
import type { ForgeRepo } from '../../src/contract/schema/api/replies.ts';
import type { Job } from '../../src/contract/schema/job/job.ts';
import type { CloudHealth } from '../../src/contract/schema/cloud/cloudHealth.ts';
import { CSRF_HEADER, type TeamApi } from './teamApi.ts';
import { toTeamRequest } from './teamRequests.ts';
import { findScope, type TeamStore } from './teamStore.ts';
import { toShownJob } from './toShownJob.ts';

interface TeamClientParts {
  /** Such as `/teams/acme`. */
  base: string;
  origin: string;
  api: TeamApi;
  store: TeamStore;
  fetch: typeof globalThis.fetch;
}

/** Names the runner that has answered. */
const RUNNER_HEADER = 'X-Svc-Runner';

type RunnerHealth = Awaited<ReturnType<Client['health']>>;

/** The first of each, by what names it. */
const dropRepeated = <Item>(items: readonly Item[], toKey: (item: Item) => string): Item[] =>
  [...new Map([...items].reverse().map((item) => [toKey(item), item])).values()].reverse();

/**
 * The client of a runner for the jobs of a team: each request goes below the team, with what the control plane needs to
 * know of it. Written out are the operations that the control plane answers in another way.
 */
export function createTeamClient({ base, origin, api, store, fetch }: TeamClientParts): Client {
  const root = `${origin}${base}`;

  const ask: typeof globalThis.fetch = (input, init = {}) => {
    const url = new URL(String(input));
    const method = init.method ?? 'GET';
    const { surface, ...context } = store.getSnapshot().context;
    const { path, query } = toTeamRequest(
      { method, path: url.pathname.slice(base.length), query: url.searchParams },
      { operations: surface.operations, runner: findScope(context) },
    );
    const headers = new Headers(init.headers);
    if (method !== 'GET') headers.set(CSRF_HEADER, api.csrf());
    return fetch(`${root}${path}${query.size === 0 ? '' : `?${query}`}`, { ...init, headers });
  };

  async function read(path: string): Promise<Response> {
    try {
      return await refuseBad(await fetch(`${root}${path}`));
    } catch (thrown) {
      throw toUnreachableError(thrown, origin);
    }
  }

  const client = createClient({ baseUrl: root, fetch: ask });

  /** What every connected runner has of something; those that do not answer are left out. */
  async function collect<Item>(path: string): Promise<Item[]> {
    const connectedRunners = store
      .getSnapshot()
      .context.runners.filter((runner) => runner.connected);
    const answers = await Promise.allSettled(
      connectedRunners.map(({ id }) => api.get<Item[]>(`${path}?runner=${encodeURIComponent(id)}`)),
    );
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  }

  return {
    ...client,
    // Of the control plane: a runner that is away is no reason to stop.
    async health() {
      const { status, version } = await api.get<CloudHealth>('/health');
      // Of a runner's reply the dashboard reads no more than this.
      return { version, status: status === 'up' ? 'ok' : 'stopping' } as RunnerHealth;
    },
    config: () => Promise.reject(new Error('The configuration belongs to a runner.')),
    // Those that the whole page shows are of all runners, whichever is chosen, as its inbox is.
    jobCounts: async (query, ...more) =>
      query === undefined ? (await read('/jobs/counts')).json() : client.jobCounts(query, ...more),
    async job(id): Promise<Job> {
      const response = await read(`/jobs/${encodeURIComponent(id)}`);
      const { runners } = store.getSnapshot().context;
      return toShownJob(await response.json(), response.headers.get(RUNNER_HEADER), runners);
    },
    forges: async () => dropRepeated(await collect<ForgeView>('forges'), (forge) => forge.id),
    forgeRepos: async () =>
      dropRepeated(await collect<ForgeRepo>('forges/local/repos'), (repo) => repo.slug),
  };
}
