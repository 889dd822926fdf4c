import type { Context } from 'koa';
import type { Configuration } from '../../contract/runner/configuration.ts';
import type { Intake } from '../../contract/planning/intake.ts';
import type { AuditTrail } from '../../contract/runner/auditTrail.ts';
import type { Notifications } from '../../contract/runner/notifications.ts';
import type { Plugins } from '../../contract/runner/plugins.ts';
import type { RequestKey } from '../../contract/job/requestKey.ts';
import type { BrokenRowNotes, Runner, RunnerRoute } from '../../contract/runner/runner.ts';
import type { RunnerProcess } from '../../contract/runner/runnerProcess.ts';
import type { SetUpWizard } from '../../contract/runner/setUp.ts';
import type { Trust } from '../../contract/workflow/trust.ts';
import type { AwaySince } from '../../base/concurrency/unlessAway.ts';
import type { Clock } from '../../base/time/clock.ts';
import type { LeaveTeamReply } from '../../contract/schema/runner/leaveTeam.ts';
import type { Caller } from '../../contract/schema/runner/caller.ts';
import type { KindOf, PathOf, RouteName } from '../../contract/routes/addresses.ts';
import type { ParamsOf } from '../../contract/routes/params.ts';
import type { Answer, BodyOf, QueryOf } from '../../contract/routes/route.ts';
import type { LoginCodes } from './login/loginCodes.ts';
import type { Logins } from './login/logins.ts';
import type { ReplyOrText } from './replies/plainText.ts';
import type { OpenStreams } from './streams/openStreams.ts';

export interface RouteEnv {
  runner: Runner;
  intake: Intake;
  config: Configuration;
  trust: Trust;
  setUp: SetUpWizard;
  clock: Clock;
  awaySince: AwaySince;
  plugins: Plugins;
  notifications: Notifications;
  trail: AuditTrail;
  streams: OpenStreams;
  codes: LoginCodes;
  logins: Logins;
  process: RunnerProcess;
  brokenRows: BrokenRowNotes;
  /** Makes the home of a runner of a team local. */
  leaveTeam(isAbandoned: boolean): Promise<LeaveTeamReply>;
  metrics(): Promise<{ type: string; text: string }>;
  openapi(): Record<string, unknown>;
}

/** A request whose parts have been checked by the schemas of its route. */
export interface Call<Name extends RouteName, Data> {
  params: Readonly<ParamsOf<PathOf<Name>>>;
  body: BodyOf<Data>;
  query: QueryOf<Data>;
  requestKey: RequestKey | undefined;
  by: Caller;
  /** The name of the member of the team; undefined = the request names no person. */
  person: string | undefined;
  /** Names the login or token of the request; it is no credential. */
  session: string;
  ctx: Context;
}

export type Handler<Name extends RouteName, Data> = (
  call: Call<Name, Data>,
  env: RouteEnv,
) => Answer<KindOf<Name>, ReplyOrText<Data>> | Promise<Answer<KindOf<Name>, ReplyOrText<Data>>>;

/** One for every route that the runner does not answer by a method of its name. */
export type Handlers<Table> = {
  readonly [Name in Exclude<keyof Table & RouteName, RunnerRoute>]: Handler<Name, Table[Name]>;
};
