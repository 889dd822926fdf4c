import type { JSX } from 'solid-js';
import type { Client } from '../../src/api/client/client.ts';
import type { RouteName } from '../../src/contract/routes/addresses.ts';
import type { CreateJobBody } from '../../src/contract/schema/api/bodies.ts';
import type { ProposeFileBody } from '../../src/contract/schema/cloud/teamOverlay.ts';
import type { JobSummary } from '../../src/contract/schema/job/job.ts';
import type { Proposal } from '../../src/contract/schema/workflow/proposal.ts';
import type { Route, TeamPart } from './navigation/router.ts';

/**
 * What the dashboard of a team has beside that of a runner. It is loaded on the page of a team alone: here are only its
 * types.
 */
export interface Team {
  slug: string;
  name: () => string;
  /** The name of the person who is logged in. */
  me: () => string;
  client: Client;
  /** Whether the team has this operation of a runner, and the person may use it. */
  offers(operation: RouteName): boolean;
  /** Whether the person may propose a change of the team's overlay. */
  mayPropose(): boolean;
  /** Proposes a text for a file of the overlay; null removes it. Gives the proposal. */
  proposeFile(path: string, proposed: ProposeFileBody): Promise<Pick<Proposal, 'id'>>;
  /** The runner whose jobs and figures are shown; null = those of all. */
  scope: () => string | null;
  /** The page to go to after a request for a job: the job, or why it waits. */
  toCreatedHash(created: { jobId?: string | null; id?: string }): string;
  /** The request with what the form asks for beside it. */
  addTarget(body: CreateJobBody): CreateJobBody;
  /** Logs the browser in again: the address of the login page, which leads back. */
  toLoginUrl(): string;
  /** Takes a login in another tab over. */
  refresh(): Promise<boolean>;
  /** `only`: where a line has no room for both, its name, or since when it is away. */
  RunnerMark(props: { job: JobSummary | undefined; only?: 'name' | 'away' }): JSX.Element;
  RunnerScope(props: { route: Route; children: JSX.Element }): JSX.Element;
  DispatchTarget(): JSX.Element;
  TeamPage(props: { part: TeamPart; query: Readonly<Record<string, string>> }): JSX.Element;
}
