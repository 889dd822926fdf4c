import { randomIds, sha256 } from '../../../src/base/system/ids/ids.ts';
import { CHAIN_START } from '../../../src/base/system/homes/chainEntryHash.ts';
import type { TeamRole } from '../../../src/contract/schema/cloud/teamRole.ts';
import type { PeopleStage } from './peopleStage.ts';

/** A team of its own for one request, with the caller in one role and another owner. */
export interface RecipeTeam {
  id: string;
  name: string;
  callerId: string;
  role: TeamRole;
  otherId: string;
}

export interface PreparedRequest {
  params?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, string>>;
  body?: object;
  headers?: Readonly<Record<string, string>>;
}

/** What makes a request to a route succeed, for anyone who may call it. */
export type RouteRecipe = (
  stage: PeopleStage,
  team: RecipeTeam,
) => Promise<PreparedRequest> | PreparedRequest;

const nothing: RouteRecipe = () => ({});

/** A further member whose role everyone may change who may change roles. */
async function addViewer(stage: PeopleStage, team: RecipeTeam): Promise<string> {
  return stage.addPerson(`v${randomIds.next()}`, 'viewer', team.id);
}

const WANTED_JOB = { type: 'job', workflowPath: 'workflows/job.md', params: {} };
/** Idempotency-Key of a dispatch that exists. */
const KEY = 'known';

/** A dispatch of the caller in this state. */
async function addDispatch(
  { database: { sql } }: PeopleStage,
  { id: teamId, callerId }: RecipeTeam,
  state: 'waiting' | 'sent' | 'placed',
): Promise<string> {
  const id = randomIds.next();
  const now = new Date();
  await sql`
    insert into dispatches (id, team_id, created_by, request_key, body, state, reason, reason_since, created_at, job_id)
    values (${id}, ${teamId}, ${callerId}, ${sha256(`${callerId}\n${KEY}`)},
      ${JSON.stringify(WANTED_JOB)}::text::jsonb, ${state}, 'no-runner', ${now}, ${now},
      ${state === 'placed' ? 'job-1' : null})`;
  return id;
}

/** Webhooks of a sender. */
async function addWebhookRow(
  { database: { sql } }: PeopleStage,
  { id: teamId }: RecipeTeam,
): Promise<{ pluginId: string }> {
  const now = new Date();
  await sql`
    insert into webhooks (team_id, plugin_id, secret, created_at, changed_at)
    values (${teamId}, 'github', ${Buffer.from('sealed')}, ${now}, ${now})`;
  return { pluginId: 'github' };
}

/** A machine of the caller. */
async function addRunner(
  { database: { sql } }: PeopleStage,
  { id: team_id, callerId }: RecipeTeam,
): Promise<string> {
  const id = randomIds.next();
  const row = {
    id,
    team_id,
    owner_id: callerId,
    home_id: id,
    name: id,
    accept: 'own',
    token_hash: id,
    token_at: new Date(),
    created_at: new Date(),
  };
  await sql`insert into runners ${sql(row)}`;
  return id;
}

/** One whose log the control plane has. */
async function addHome(stage: PeopleStage, team: RecipeTeam): Promise<string> {
  const id = await addRunner(stage, team);
  const { sql } = stage.database;
  const row = {
    runner_id: id,
    team_id: team.id,
    home_id: id,
    generation: 1,
    head: 0,
    hash: CHAIN_START,
    state: 'open',
    takeover_ms: 60_000,
    store_version: 1,
    entries_after: 0,
    after_hash: CHAIN_START,
    created_at: new Date(),
  };
  await sql`insert into homes ${sql(row)}`;
  return id;
}

/** A proposal of a job that someone else has started. */
async function addProposal(
  stage: PeopleStage,
  team: RecipeTeam,
  state: 'open' | 'approved',
): Promise<PreparedRequest & { params: { proposalId: string } }> {
  const id = sha256(randomIds.next()).slice(0, 16);
  const files = [{ path: 'memory/build.md', base: null, text: 'Run make.\n' }];
  const now = new Date();
  await stage.database.sql`
    insert into proposals (team_id, id, kind, description, content, hash, checks, warnings, state, created_at, changed_at)
    values (${team.id}, ${id}, 'memory', 'Say how to build.', ${Buffer.from(JSON.stringify(files))}, ${PROPOSAL_HASH},
      '{"findings":[],"simulated":[],"meaning":[],"warnings":[]}', 0, ${state}, ${now}, ${now})`;
  return { params: { proposalId: id } };
}
const PROPOSAL_HASH = sha256('a proposal');

/** Versions of an overlay that have no files. */
async function addVersions({ database: { sql } }: PeopleStage, { id }: RecipeTeam, last: number) {
  for (let version = 1; version <= last; version += 1)
    await sql`
      insert into overlay_versions (team_id, version, files, created_at, author)
      values (${id}, ${version}, '{}', ${new Date()}, 'ada')`;
}

const MEMORY = 'memory/build.md';

/** An overlay with one file. */
const withMemory: RouteRecipe = async ({ database: { sql } }, { id }) => {
  const body = Buffer.from('Run make.\n');
  const digest = sha256(body);
  const files = { [MEMORY]: { sha256: digest, bytes: body.length } };
  await sql`insert into overlay_files (team_id, sha256, body) values (${id}, ${digest}, ${body})`;
  await sql`
    insert into overlay_versions (team_id, version, files, created_at, author)
    values (${id}, 1, ${JSON.stringify(files)}::text::jsonb, ${new Date()}, 'ada')`;
  return { query: { path: MEMORY }, headers: { 'If-Match': `"${digest}"` } };
};

/** By operation. A new route of the control plane that needs a login needs one here. */
export const ROUTE_RECIPES: Readonly<Record<string, RouteRecipe>> = {
  me: nothing,
  teams: nothing,
  teamProposals: nothing,
  teamProposal: (stage, team) => addProposal(stage, team, 'open'),
  approveTeamProposal: async (stage, team) => ({
    ...(await addProposal(stage, team, 'open')),
    body: { hash: PROPOSAL_HASH },
  }),
  rejectTeamProposal: (stage, team) => addProposal(stage, team, 'open'),
  applyTeamProposal: (stage, team) => addProposal(stage, team, 'approved'),
  teamOverlay: nothing,
  teamOverlayVersions: nothing,
  teamOverlayVersion: async (stage, team) => {
    await addVersions(stage, team, 1);
    return { params: { version: '1' } };
  },
  teamOverlayDiff: async (stage, team) => {
    await addVersions(stage, team, 1);
    return { params: { version: '1' } };
  },
  teamOverlayFile: async ({ database: { sql } }, { id }) => {
    const body = Buffer.from('x');
    await sql`insert into overlay_files (team_id, sha256, body) values (${id}, ${sha256(body)}, ${body})`;
    return { params: { digest: sha256(body) } };
  },
  restoreTeamOverlay: async (stage, team) => {
    await addVersions(stage, team, 2);
    return { body: { version: 1, newest: 2 } };
  },
  teamLayers: nothing,
  teamLayerFile: withMemory,
  teamMergedFile: withMemory,
  teamFileHistory: () => ({ query: { path: MEMORY } }),
  teamFileVersion: async (stage, team) => {
    await addVersions(stage, team, 1);
    return { query: { path: MEMORY, n: '1' } };
  },
  writeTeamFile: () => ({ query: { path: MEMORY }, body: { text: 'Run make.\n' } }),
  removeTeamFile: withMemory,
  proposeTeamFile: () => ({
    query: { path: MEMORY },
    body: { description: 'Say how to build.', text: 'Run make.\n', etag: null },
  }),
  createTeam: () => ({ body: { name: `Team ${randomIds.next()}` } }),
  team: nothing,
  changeTeam: () => ({ body: { name: 'Another name' } }),
  deleteTeam: (_stage, { name }) => ({ query: { name } }),
  teamAudit: nothing,
  teamAuditCheck: nothing,
  members: nothing,
  changeMember: async (stage, team) => ({
    params: { userId: await addViewer(stage, team) },
    body: { role: 'member' },
  }),
  // Everyone may leave.
  removeMember: (_stage, { callerId }) => ({ params: { userId: callerId } }),
  invitations: nothing,
  createInvitation: () => ({ body: { role: 'member' } }),
  createPairingCode: nothing,
  teamRunners: nothing,
  revokeRunner: async (stage, team) => ({ params: { runnerId: await addRunner(stage, team) } }),
  teamHomes: nothing,
  changeRunner: async (stage, team) => ({
    params: { runnerId: await addHome(stage, team) },
    body: { policy: 'never' },
  }),
  releaseRunner: async (stage, team) => ({ params: { runnerId: await addHome(stage, team) } }),
  revokeInvitation: async (stage, team) => {
    const id = randomIds.next();
    const now = Date.now();
    const row = {
      token_hash: id,
      id,
      team_id: team.id,
      role: 'member',
      invited_by: team.otherId,
      created_at: new Date(now),
      expires_at: new Date(now + 60_000),
    };
    await stage.database.sql`insert into invitations ${stage.database.sql(row)}`;
    return { params: { invitationId: id } };
  },
  // No runner has to make it: it was placed by an earlier request.
  createTeamJob: async (stage, team) => {
    await addDispatch(stage, team, 'placed');
    return { body: WANTED_JOB, headers: { 'Idempotency-Key': KEY } };
  },
  teamJobs: nothing,
  teamJobCounts: nothing,
  teamJobsStream: nothing,
  teamInbox: nothing,
  dispatches: nothing,
  dispatch: async (stage, team) => ({
    params: { dispatchId: await addDispatch(stage, team, 'placed') },
  }),
  cancelDispatch: async (stage, team) => ({
    params: { dispatchId: await addDispatch(stage, team, 'waiting') },
  }),
  giveUpDispatch: async (stage, team) => ({
    params: { dispatchId: await addDispatch(stage, team, 'sent') },
  }),
  surface: nothing,
  webhooks: nothing,
  addWebhook: () => ({ body: { plugin: 'github' } }),
  rotateWebhook: async (stage, team) => ({ params: await addWebhookRow(stage, team) }),
  removeWebhook: async (stage, team) => ({ params: await addWebhookRow(stage, team) }),
};
