import { createRoot } from 'solid-js';
import type { Surface } from '../../src/contract/schema/cloud/surface.ts';
import type { Me } from '../../src/contract/schema/cloud/team.ts';
import type { TeamRunner } from '../../src/contract/schema/cloud/teamRunner.ts';
import type { RouteName } from '../../src/contract/routes/addresses.ts';
import { readPageMeta } from '../shell/apiPath.ts';
import { toJobHash, toRouteHash } from '../shell/navigation/router.ts';
import type { Team } from '../shell/team.ts';
import { useStore } from '../shell/useStore.ts';
import { createTeamApi } from './teamApi.ts';
import { createTeamClient } from './createTeamClient.ts';
import { createDispatchTarget } from './DispatchTarget.tsx';
import { createRunnerMark } from './RunnerMark.tsx';
import { createRunnerScope } from './RunnerScope.tsx';
import { createTeamPage } from './TeamPage.tsx';
import { createTeamStore, findScope } from './teamStore.ts';

/** Between two looks at the runners of a visible page, ms: no event tells that one has gone. */
const LOOK_MS = 10_000;
/** Before the control plane is asked again for what the page cannot do without, ms. */
const AGAIN_MS = 1_000;

interface OpenTeamOptions {
  /** Such as `/teams/acme`. */
  base: string;
  fetch: typeof globalThis.fetch;
}

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Opens the dashboard of a team: what it has, what the person may do, and its runners. Waits until that is known. */
export async function openTeam({ base, fetch }: OpenTeamOptions): Promise<Team> {
  const slug = base.slice('/teams/'.length);
  let csrf = readPageMeta('svc-csrf') ?? '';
  const api = createTeamApi({ base, csrf: () => csrf, fetch });
  const readRunners = async () =>
    (await api.get<{ runners: TeamRunner[] }>('runners?all=1')).runners;
  const readAccount = async () => {
    const [me, surface] = await Promise.all([api.get<Me>('/me'), api.get<Surface>('surface')]);
    return { me, surface };
  };

  async function start() {
    for (;;) {
      try {
        const [account, runners] = await Promise.all([readAccount(), readRunners()]);
        return { slug, runners, ...account };
      } catch {
        await wait(AGAIN_MS);
      }
    }
  }

  const store = createTeamStore(await start());
  const { scope, name, me, operations } = createRoot(() => ({
    scope: useStore(store, findScope),
    name: useStore(store, ({ me }) => me.teams.find((team) => team.slug === slug)?.name ?? slug),
    me: useStore(store, (context) => context.me.name),
    operations: useStore(store, ({ surface }) => surface.operations),
  }));

  const refreshRunners = async () => store.trigger.runnersRead({ runners: await readRunners() });
  setInterval(() => {
    if (!document.hidden) void refreshRunners().catch(() => {});
  }, LOOK_MS);

  const client = createTeamClient({ base, origin: location.origin, api, store, fetch });
  const parts = { api, store, refreshRunners };

  function offers(operation: RouteName): boolean {
    const teamOperation = operations().find((one) => one.name === operation);
    if (teamOperation === undefined || !teamOperation.allowed) return false;
    // What changes something of one runner needs to know which.
    return teamOperation.runner !== 'named' || teamOperation.method === 'GET' || scope() !== null;
  }

  return {
    slug,
    client,
    scope,
    name,
    me,
    offers,
    // Who decides about proposals may make one.
    mayPropose: () => offers('approveProposal'),
    proposeFile: (path, body) =>
      api.send('POST', `intelligence/proposals?path=${encodeURIComponent(path)}`, body),
    toCreatedHash: ({ jobId, id }) =>
      jobId === undefined || jobId === null
        ? toRouteHash(['dispatches'], { id })
        : toJobHash(jobId),
    addTarget(body) {
      const { runner, labels } = store.getSnapshot().context.target;
      return {
        ...body,
        ...(runner === null ? {} : { runner }),
        ...(labels.length === 0 ? {} : { labels: [...labels] }),
      };
    },
    toLoginUrl: () =>
      `/auth/login?next=${encodeURIComponent(`${location.pathname}${location.search}`)}`,
    async refresh() {
      try {
        const account = await readAccount();
        csrf = account.me.csrf ?? csrf;
        store.trigger.accountRead(account);
        return true;
      } catch {
        return false;
      }
    },
    RunnerMark: createRunnerMark(store),
    RunnerScope: createRunnerScope(store),
    DispatchTarget: createDispatchTarget(store),
    TeamPage: createTeamPage(parts),
  };
}
