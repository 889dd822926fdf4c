import { randomIds } from '../../../src/base/system/ids/ids.ts';
import type { Database } from '../../../src/cloud/database/database.ts';
import { openDatabase } from '../../../src/cloud/database/openDatabase.ts';
import { hashPassword } from '../../../src/cloud/people/passwords.ts';
import { silentLog } from '../../../src/base/system/log/log.ts';
import type { TeamRole } from '../../../src/contract/schema/cloud/teamRole.ts';
import { HtmlVisitor, type VisitedPage } from './htmlVisitor.ts';
import { OauthClient, REDIRECT } from './oauthClient.ts';
import { createShiftedClock } from './shiftedClock.ts';
import { startTestControlPlane, type TestControlPlane } from './startTestControlPlane.ts';

export const PASSWORD = 'correct horse';
/** Of all people here: the cost of a real one is for thieves. */
const passwordHash = hashPassword(PASSWORD, { N: 2 ** 10, r: 8, p: 1 });

/** A control plane with people in it, who log in by its pages. */
export class PeopleStage {
  readonly cloud: TestControlPlane;
  readonly database: Database;
  readonly clock: ReturnType<typeof createShiftedClock>;
  readonly client: OauthClient;

  private constructor(
    cloud: TestControlPlane,
    database: Database,
    clock: ReturnType<typeof createShiftedClock>,
  ) {
    this.cloud = cloud;
    this.database = database;
    this.clock = clock;
    this.client = new OauthClient(cloud.url);
  }

  static async open(
    options: Parameters<typeof startTestControlPlane>[0] = {},
  ): Promise<PeopleStage> {
    const clock = createShiftedClock();
    const cloud = await startTestControlPlane({ clock, ...options });
    const database = await openDatabase(cloud.databaseUrl, { log: silentLog, max: 2 });
    return new PeopleStage(cloud, database, clock);
  }

  async close(): Promise<void> {
    await this.database.close();
    await this.cloud.stop();
  }

  /** `origin`: where it asks; default: the node itself. */
  visitor(origin = this.cloud.url): HtmlVisitor {
    return new HtmlVisitor(origin);
  }

  async addTeam(slug: string): Promise<string> {
    const id = randomIds.next();
    await this.database.sql`
      insert into teams ${this.database.sql({ id, slug, name: slug, created_at: new Date() })}`;
    return id;
  }

  /** A person `<name>@svc.example`, with a role in a team. Gives the id. */
  async addPerson(name: string, role?: TeamRole, teamId?: string): Promise<string> {
    const { sql } = this.database;
    const id = randomIds.next();
    const created_at = new Date();
    const email = `${name}@svc.example`;
    await sql`insert into users ${sql({ id, email, name, password: await passwordHash, created_at })}`;
    if (role !== undefined && teamId !== undefined)
      await sql`insert into members ${sql({ team_id: teamId, user_id: id, role, created_at })}`;
    return id;
  }

  /** A browser in which the person is logged in. */
  async openVisitor(name: string): Promise<HtmlVisitor> {
    const visitor = this.visitor();
    const response = await visitor.logIn(`${name}@svc.example`, PASSWORD);
    if (response.status !== 303) throw new Error(`${name} could not log in: ${response.status}`);
    return visitor;
  }

  /** Follows an authorization to the page of consent. */
  async openConsent(visitor: HtmlVisitor, path: string): Promise<VisitedPage> {
    const started = await visitor.open(path);
    return started.location === null ? started : visitor.open(toPath(started.location));
  }

  /** Answers it. Gives the address on loopback that the browser is sent to. */
  async allow(visitor: HtmlVisitor, path: string, answer = 'allow'): Promise<URL> {
    const page = await this.openConsent(visitor, path);
    const response = await visitor.post(page.url, { ...page.hidden, answer });
    const resumed = await visitor.open(toPath(response.location ?? ''));
    if (!resumed.location?.startsWith(REDIRECT))
      throw new Error(`No redirect to the client: ${resumed.status} ${resumed.location}`);
    return new URL(resumed.location);
  }

  /** The tokens of a login by the command line. */
  async logIn(visitor: HtmlVisitor) {
    const { path, verifier } = this.client.startAuthorization();
    const callback = await this.allow(visitor, path);
    const { body } = await this.client.exchange(callback.searchParams.get('code') ?? '', verifier);
    return body;
  }

  /** Asks the API with an access token. */
  ask(path: string, token: string, init: RequestInit = {}): Promise<Response> {
    return this.cloud.ask(path, {
      ...init,
      headers: { Authorization: `Bearer ${token}`, ...init.headers },
    });
  }
}

export const toPath = (address: string): string => {
  const { pathname, search } = new URL(address, 'http://127.0.0.1');
  return `${pathname}${search}`;
};
