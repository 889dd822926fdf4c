import type { JobContext } from '../../../machines/index.ts';
import type { ActorState } from '../../kernel/chart.ts';
import type { Why } from '../../kernel/questions.ts';
import type { OpenStore } from '../store/openStore.ts';
import type { Log } from '../../base/system/log/log.ts';
import { waitForNextTurn } from '../../base/concurrency/waitForNextTurn.ts';
import type { Forges } from '../../providers/forges.ts';
import { readJobTicket, type Trackers } from '../../providers/trackers.ts';
import type { PluginJob } from '../../contract/schema/runner/plugin.ts';

interface ProviderUseDeps {
  store: Pick<OpenStore, 'prs' | 'jobs'>;
  forges: Pick<Forges, 'ids'>;
  trackers: Pick<Trackers, 'ids'>;
  /** Installed forges that cannot be used, with the reason by id. */
  remote: { readonly problems: Readonly<Record<string, string>> };
  log: Pick<Log, 'warn'>;
  readState(jobId: string): ActorState<JobContext>;
}

/** A forge or tracker that a job needs, and what for. */
interface ProviderNeed {
  kind: 'forge' | 'tracker';
  id: string;
  /** `pull request minihub:acme/shop#7`, `repository acme/shop`, `ticket MT-1`. */
  what: string;
}

/** States of listed jobs that have not ended. */
const LIVE = ['queued', 'working', 'waiting'] as const;
/** Most jobs named in one line of the runner's log. */
const MAX_LOGGED = 20;
/** Most jobs counted or listed, so that a start does not read more in a larger home. */
const MAX_COUNTED = 1_000;
const READ_AT_ONCE = 20;

function listProviderNeeds({ prs, params }: JobContext): ProviderNeed[] {
  const { gitProvider, repoSlug } = params;
  const ticket = readJobTicket(params);
  return [
    ...prs
      .filter(({ state }) => state === 'open')
      .map(
        ({ forge, prId }): ProviderNeed => ({
          kind: 'forge',
          id: forge,
          what: `pull request ${prId}`,
        }),
      ),
    ...(typeof gitProvider === 'string' && typeof repoSlug === 'string'
      ? [{ kind: 'forge' as const, id: gitProvider, what: `repository ${repoSlug}` }]
      : []),
    ...(ticket.ref !== null && ticket.provider !== null
      ? [{ kind: 'tracker' as const, id: ticket.provider, what: `ticket ${ticket.ref}` }]
      : []),
  ];
}

export type ProviderUse = ReturnType<typeof createProviderUse>;

/** Which jobs need which forge or tracker, and the consequences where one is not installed. */
export const createProviderUse = (deps: ProviderUseDeps) => {
  const { store, forges, trackers, remote, log, readState } = deps;
  const isMissing = ({ kind, id }: ProviderNeed): boolean =>
    kind === 'forge' ? !forges.ids().includes(id) : !trackers.ids().includes(id);
  const describeProblem = ({ kind, id }: ProviderNeed): string => {
    const problem = kind === 'forge' ? remote.problems[id] : undefined;
    return problem === undefined
      ? `the ${kind} ${id} is not installed`
      : `the forge ${id} cannot be used: ${problem}`;
  };
  const needing = (id: string, jobId: string): PluginJob[] => {
    const { context } = readState(jobId);
    const needs = listProviderNeeds(context).filter((need) => need.id === id);
    if (needs.length === 0) return [];
    return [{ id: jobId, status: context.status, needs: needs.map(({ what }) => what) }];
  };
  const pluginJobs = async (id: string): Promise<PluginJob[]> => {
    const pluginJobs: PluginJob[] = [];
    // Row numbers follow the order of creation.
    const rows = store.jobs.rows({ states: LIVE }).sort((a, b) => a - b);
    for (
      let from = 0;
      from < rows.length && pluginJobs.length < MAX_COUNTED;
      from += READ_AT_ONCE
    ) {
      for (const jobId of store.jobs.readIds(rows.slice(from, from + READ_AT_ONCE)))
        pluginJobs.push(...needing(id, jobId));
      await waitForNextTurn();
    }
    return pluginJobs.slice(0, MAX_COUNTED);
  };
  const providerIds = (): string[] => [...forges.ids(), ...trackers.ids()];
  const warn = (plugin: string, jobs: readonly string[]): void =>
    log.warn(
      { plugin, jobs: jobs.slice(0, MAX_LOGGED), count: jobs.length },
      'jobs need a forge or tracker that is not installed',
    );
  let knownProviders = new Set(providerIds());

  return {
    /** Adds the provider that a job needs and that is not installed. */
    withMissing(why: Why): Why {
      const { context } = readState(why.id);
      if (why.state.some((state) => state.startsWith('ended'))) return why;
      const needs = listProviderNeeds(context);
      const missing = needs.filter(isMissing);
      if (missing.length === 0) return why;
      const problems = [...new Set(missing.map(describeProblem))];
      const prNeeds = needs.filter(({ what }) => what.startsWith('pull request'));
      const isDeaf = prNeeds.length > 0 && prNeeds.every(isMissing);
      const guard = { name: '', says: 'its forge is installed', value: false };
      return {
        ...why,
        waitsFor: [
          ...why.waitsFor,
          ...problems.map((problem) => `${problem}, so its events cannot reach this job`),
        ],
        waysOut: why.waysOut.map((way) =>
          isDeaf && way.event === 'forge.event'
            ? { ...way, open: false, guards: [...way.guards, guard] }
            : way,
        ),
      };
    },

    /**
     * Live jobs that need a plugin as their forge or tracker, oldest first, at most 1,000. Only the
     * state of a job says what it needs, so each is read, with pauses for other work.
     */
    pluginJobs,

    /**
     * Logs which forges of open pull requests are not installed. Uses rows only: a start reads no
     * job.
     */
    reportAtStart(): void {
      for (const forge of store.prs.forges().filter((id) => !knownProviders.has(id))) {
        const jobs = store.prs.jobs(forge, MAX_COUNTED);
        if (jobs.length > 0) warn(forge, jobs);
      }
    },

    /** The same for those removed since the last call. */
    async reportRemoved(): Promise<void> {
      const now = new Set(providerIds());
      const removedProviders = [...knownProviders].filter((one) => !now.has(one));
      knownProviders = now;
      for (const id of removedProviders) {
        const jobs = await pluginJobs(id);
        if (jobs.length > 0)
          warn(
            id,
            jobs.map((job) => job.id),
          );
      }
    },
  };
};
