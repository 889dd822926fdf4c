import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { randomIds } from '../../../src/base/system/ids/ids.ts';
import { hasRole, type TeamRole } from '../../../src/contract/schema/cloud/teamRole.ts';
import { postgresPrograms, defineDatabaseTests } from '../../support/cloud/openTestDatabase.ts';
import { PeopleStage } from '../../support/cloud/peopleStage.ts';
import { TEAM_ROLES } from '../../support/cloud/teamRoles.ts';
import {
  type PreparedRequest,
  type RecipeTeam,
  ROUTE_RECIPES,
} from '../../support/cloud/routeRecipes.ts';

const test = suite('cloud: every route with every role');
const dbTest = defineDatabaseTests(test);

interface Operation {
  id: string;
  method: string;
  path: string;
  who: 'anyone' | 'person' | 'runner' | TeamRole;
  body: boolean;
}

let stage: PeopleStage;
let ownerId: string;
let outsiderToken: string;
const callers = new Map<TeamRole, { id: string; token: string }>();
const operations: Operation[] = [];

interface OpenapiDocument {
  paths: Record<
    string,
    Record<
      string,
      {
        operationId: string;
        'x-svc-who': Operation['who'];
        'x-svc-of-runner'?: boolean;
        requestBody?: object;
      }
    >
  >;
}

async function openTokenFor(name: string): Promise<string> {
  return (await stage.logIn(await stage.openVisitor(name))).access_token;
}

if (postgresPrograms.length > 0)
  test.before(async () => {
    stage = await PeopleStage.open();
    const { paths } = (await (await stage.cloud.ask('/openapi.json')).json()) as OpenapiDocument;
    for (const [path, methods] of Object.entries(paths))
      for (const [method, one] of Object.entries(methods)) {
        // Those are tested with a runner, in test/cloud/jobs.
        if (one['x-svc-of-runner']) continue;
        operations.push({
          id: one.operationId,
          method: method.toUpperCase(),
          path,
          who: one['x-svc-who'],
          body: one.requestBody !== undefined,
        });
      }
    ownerId = await stage.addPerson('other-owner');
    await stage.addPerson('outsider');
    outsiderToken = await openTokenFor('outsider');
    for (const role of TEAM_ROLES)
      callers.set(role, { id: await stage.addPerson(role), token: await openTokenFor(role) });
  });
test.after(() => stage?.close());

const OF_NO_TEAM: readonly string[] = ['anyone', 'person', 'runner'];
const ofTeam = () => operations.filter(({ who }) => !OF_NO_TEAM.includes(who));

async function openTeam(role: TeamRole, callerId: string): Promise<RecipeTeam> {
  const name = `t${randomIds.next()}`;
  const id = await stage.addTeam(name);
  const { sql } = stage.database;
  const created_at = new Date();
  await sql`insert into members ${sql([
    { team_id: id, user_id: callerId, role, created_at },
    { team_id: id, user_id: ownerId, role: 'owner', created_at },
  ])}`;
  return { id, name, callerId, role, otherId: ownerId };
}

/** One answer; the request has a fixed id, so that equal answers are equal bytes. */
async function send(
  { method, path, body }: Operation,
  token: string | null,
  teamId: string,
  prepared: PreparedRequest = {},
): Promise<{ status: number; text: string }> {
  const params: Record<string, string> = { teamId, ...prepared.params };
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? 'x1');
  const query = new URLSearchParams(prepared.query);
  const answer = await stage.cloud.ask(`${filled}${query.size > 0 ? `?${query}` : ''}`, {
    method,
    headers: {
      'X-Request-Id': 'fixed',
      ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
      ...(body ? { 'Content-Type': 'application/json' } : {}),
      ...prepared.headers,
    },
    ...(body ? { body: JSON.stringify(prepared.body ?? {}) } : {}),
  });
  const isStream = answer.headers.get('Content-Type')?.startsWith('text/event-stream') ?? false;
  // A stream has no end.
  if (isStream) await answer.body?.cancel();
  return { status: answer.status, text: isStream ? '' : await answer.text() };
}

const cellName = ({ id }: Operation, role: string) => `${id} as ${role}`;

dbTest(
  'the document names who may call each route, and this test how each succeeds (CLD-2)',
  () => {
    assert.ok(ofTeam().length >= 9);
    assert.not(operations.some(({ who }) => who === undefined));
    const without = operations
      .filter(({ who }) => who !== 'anyone' && who !== 'runner')
      .filter(({ id }) => ROUTE_RECIPES[id] === undefined)
      .map(({ id }) => id);
    assert.equal(without, []);
  },
);

dbTest('a role that is high enough succeeds; a lower one gets 403 (CLD-2)', async () => {
  for (const operation of ofTeam())
    for (const role of TEAM_ROLES) {
      const caller = callers.get(role);
      const recipe = ROUTE_RECIPES[operation.id];
      if (caller === undefined || recipe === undefined) throw new Error(operation.id);
      const team = await openTeam(role, caller.id);
      const { status, text } = await send(
        operation,
        caller.token,
        team.id,
        await recipe(stage, team),
      );
      if (hasRole(role, operation.who as TeamRole))
        assert.ok(status >= 200 && status < 300, `${cellName(operation, role)}: ${status} ${text}`);
      else assert.is(status, 403, cellName(operation, role));
    }
});

dbTest('what needs a login only succeeds with one (CLD-2)', async () => {
  for (const operation of operations.filter(({ who }) => who === 'person')) {
    const caller = callers.get('viewer');
    const recipe = ROUTE_RECIPES[operation.id];
    if (caller === undefined || recipe === undefined) throw new Error(operation.id);
    const team = await openTeam('viewer', caller.id);
    const { status } = await send(operation, caller.token, team.id, await recipe(stage, team));
    assert.ok(status >= 200 && status < 300, cellName(operation, 'viewer'));
  }
});

dbTest('a route of runners takes no person, whatever their role (CLD-2)', async () => {
  const ofRunners = operations.filter(({ who }) => who === 'runner');
  assert.ok(ofRunners.length >= 14);
  const { id } = await openTeam('owner', callers.get('owner')?.id ?? '');
  for (const operation of ofRunners)
    for (const role of TEAM_ROLES)
      assert.is(
        (await send(operation, callers.get(role)?.token ?? '', id)).status,
        401,
        cellName(operation, role),
      );
});

dbTest('without a login each of them answers 401 (CLD-2)', async () => {
  const { id } = await openTeam('viewer', callers.get('viewer')?.id ?? '');
  for (const operation of operations.filter(({ who }) => who !== 'anyone'))
    for (const token of [null, 'x', 'svcr_x_y_z'])
      assert.is((await send(operation, token, id)).status, 401, operation.id);
});

dbTest('a foreign team is 404, byte for byte as one that does not exist (CLD-2)', async () => {
  const team = await openTeam('viewer', callers.get('viewer')?.id ?? '');
  for (const operation of ofTeam()) {
    const unknown = await send(operation, outsiderToken, 'nosuchteam');
    assert.is(unknown.status, 404, operation.id);
    assert.equal(await send(operation, outsiderToken, team.id), unknown, operation.id);
    assert.equal(await send(operation, outsiderToken, team.name), unknown, operation.id);
  }
});

test.run();
