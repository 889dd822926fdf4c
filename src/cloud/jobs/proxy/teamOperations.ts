import Type from 'typebox';
import { type Route, routes } from '../../../contract/routes/routes.ts';
import type { RouteName } from '../../../contract/routes/addresses.ts';
import type { AskedRunner } from '../../../contract/schema/cloud/surface.ts';
import { RunnerName } from '../../../contract/schema/cloud/teamJob.ts';
import type { TeamRole } from '../../../contract/schema/cloud/teamRole.ts';
import type { CloudRoute } from '../../routes/cloudRoute.ts';

/** A route of the runner's API that a team has. */
export interface TeamOperation {
  route: Route;
  role: TeamRole;
  asked: AskedRunner;
}

/** What the control plane answers from its own list. */
const FROM_THE_LIST: ReadonlySet<RouteName> = new Set([
  'jobs',
  'jobCounts',
  'jobsStream',
  'createJob',
]);
/**
 * What the control plane has of its own under the addresses of a runner: the team's audit log, its overlay,
 * and proposals for it. Those of a runner never leave its machine.
 */
const OF_THE_TEAM: Readonly<Partial<Record<RouteName, TeamRole>>> = {
  audit: 'admin',
  proposals: 'viewer',
  proposal: 'viewer',
  approveProposal: 'member',
  rejectProposal: 'member',
  applyProposal: 'member',
  intelligenceLayers: 'viewer',
  intelligenceFile: 'viewer',
  mergedFile: 'viewer',
  intelligenceHistory: 'viewer',
  intelligenceVersion: 'viewer',
  writeIntelligenceFile: 'admin',
  removeIntelligenceFile: 'admin',
};
/** What each runner answers alike, as far as a team is concerned. */
const BY_ANY_RUNNER: ReadonlySet<RouteName> = new Set([
  'workflows',
  'machines',
  'estimateJob',
  'lintWorkflow',
  'simulateWorkflow',
]);

function findAsked({ name, path }: Route): AskedRunner {
  if (FROM_THE_LIST.has(name) || OF_THE_TEAM[name] !== undefined) return 'list';
  if (path.startsWith('/jobs/:jobId')) return 'of-job';
  return BY_ANY_RUNNER.has(name) ? 'any' : 'named';
}

/** What of the runner's API a team has: the routes that name a role, and what the control plane has of its own. */
export const TEAM_OPERATIONS: readonly TeamOperation[] = routes.flatMap((route) => {
  const role = route.team ?? OF_THE_TEAM[route.name];
  return role === undefined ? [] : [{ route, role, asked: findAsked(route) }];
});

const toOperationId = (name: string): string =>
  `team${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;

const RUNNER = { runner: Type.Optional(RunnerName) };

/** Every query may name the runner. */
const addRunner = (query: Type.TObject | undefined): Type.TObject =>
  query === undefined
    ? Type.Object(RUNNER)
    : Type.Object({ ...query.properties, ...RUNNER }, { additionalProperties: false });

/** The same operation below a team. Its reply is written as it comes, whatever its kind is. */
function toTeamRoute({ route, role }: TeamOperation): CloudRoute {
  const { name, method, path, summary, query, body, refusals, status, reply, mime } = route;
  return {
    name: toOperationId(name),
    method,
    path: `/teams/:teamId${path}`,
    who: role,
    summary,
    query: addRunner(query),
    ...(body === undefined ? {} : { body }),
    refusals: [
      ...new Set([...refusals, ...(['conflict', 'runner-away', 'runner-timeout'] as const)]),
    ],
    kind: 'bytes',
    status,
    reply,
    mime,
    isOfRunner: true,
    ...(method === 'GET' && route.kind === 'json' ? { isReadOfRunner: true } : {}),
  };
}

const proxiedOperations = TEAM_OPERATIONS.filter(({ asked }) => asked !== 'list');

/** The runner's routes below a team, in the order of the runner's table. */
export const teamRoutesOfRunner: readonly CloudRoute[] = proxiedOperations.map(toTeamRoute);

const byName = new Map(proxiedOperations.map((one) => [toOperationId(one.route.name), one]));

export function findTeamOperation(name: string): TeamOperation {
  const operation = byName.get(name);
  if (operation === undefined) throw new Error(`No operation of a runner is called ${name}.`);
  return operation;
}
