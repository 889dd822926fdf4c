import { setCompanyIssuer } from '../../../src/cloud/people/signOn/changeCompanyIssuer.ts';
import type { NewCompanyIssuer } from '../../../src/cloud/people/signOn/changeCompanyIssuer.ts';
import { IssuerClient } from '../../../src/cloud/people/signOn/issuerClient.ts';
import { toRedirectUri } from '../../../src/cloud/people/signOn/signOnPath.ts';
import { createSealer, parseCloudKey } from '../../../src/cloud/server/sealer.ts';
import { CLIENT_ID, CLIENT_SECRET, CompanyIssuer } from './companyIssuer.ts';
import type { HtmlVisitor, VisitedPage } from './htmlVisitor.ts';
import { PeopleStage, toPath } from './peopleStage.ts';
import { TEST_CLOUD_KEY } from './startTestControlPlane.ts';

/** A control plane with the team `acme` of the owner ada, who has a password, and a company's issuer. */
export class SignOnStage {
  readonly people: PeopleStage;
  readonly issuer: CompanyIssuer;
  readonly teamId: string;

  private constructor(people: PeopleStage, issuer: CompanyIssuer, teamId: string) {
    this.people = people;
    this.issuer = issuer;
    this.teamId = teamId;
  }

  static async open(options: Parameters<typeof PeopleStage.open>[0] = {}): Promise<SignOnStage> {
    const people = await PeopleStage.open(options);
    const issuer = await CompanyIssuer.open(toRedirectUri(people.cloud.publicUrl));
    const teamId = await people.addTeam('acme');
    await people.addPerson('ada', 'owner', teamId);
    return new SignOnStage(people, issuer, teamId);
  }

  async close(): Promise<void> {
    this.issuer.close();
    await this.people.close();
  }

  /** From now on people log in at the issuer. */
  setIssuer(changes: Partial<NewCompanyIssuer> = {}): Promise<void> {
    const { database, clock } = this.people;
    const sealer = createSealer(parseCloudKey(TEST_CLOUD_KEY));
    return setCompanyIssuer({ database, clock }, sealer, new IssuerClient(clock), {
      address: this.issuer.url,
      clientId: CLIENT_ID,
      clientSecret: CLIENT_SECRET,
      domains: ['svc.example'],
      scopes: [],
      groupsClaim: 'groups',
      trustsEmail: false,
      roles: [],
      ...changes,
    });
  }

  /** A person at the issuer with a verified address `<name>@svc.example`. */
  hire(name: string, more: CompanyIssuer['people'][string] = {}): void {
    this.issuer.people[name] = {
      email: `${name}@svc.example`,
      email_verified: true,
      name: `${name[0]?.toUpperCase()}${name.slice(1)}`,
      ...more,
    };
  }

  /** Where the issuer sends the browser of a person back to. */
  async visitIssuer(visitor: HtmlVisitor, subject: string, next = '/auth/home'): Promise<string> {
    const started = await visitor.open(`/auth/sign-on?next=${encodeURIComponent(next)}`);
    if (started.location === null) throw new Error(`Not sent to the issuer: ${started.text}`);
    return toPath((await this.issuer.logIn(started.location, subject)).href);
  }

  /** Logs a person in by the issuer; the page or redirect at the end. */
  async logIn(visitor: HtmlVisitor, subject: string, next?: string): Promise<VisitedPage> {
    return visitor.open(await this.visitIssuer(visitor, subject, next));
  }

  /** A browser in which the person is logged in by the issuer. */
  async openVisitor(subject: string): Promise<HtmlVisitor> {
    const visitor = this.people.visitor();
    const response = await this.logIn(visitor, subject);
    if (response.status !== 303) throw new Error(`${subject} could not log in: ${response.text}`);
    return visitor;
  }

  /** The audit log of the team, without what differs from run to run. */
  async listAudit(): Promise<
    { action: string; person: string | null; target: object; failed: string | null }[]
  > {
    const rows = await this.people.database.sql`
      select action, person, target, failed from audit where team_id = ${this.teamId} order by n`;
    return rows.map(({ action, person, target, failed }) => ({ action, person, target, failed }));
  }
}
