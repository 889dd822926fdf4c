import { Dispatch } from '../../src/contract/schema/cloud/dispatch.ts';
import Type, { type TSchema } from 'typebox';
import { BudgetList } from '../../src/contract/schema/policy/budget.ts';
import { Estimate } from '../../src/contract/schema/policy/estimate.ts';
import {
  CommandReply,
  CreatedJob,
  CreateJobBody,
  StopAllReply,
} from '../../src/contract/schema/api/bodies.ts';
import { Campaign } from '../../src/contract/schema/job/campaign.ts';
import { ConfigValue } from '../../src/contract/schema/runner/config.ts';
import { Costs } from '../../src/contract/schema/policy/costs.ts';
import { Diagnostic } from '../../src/contract/schema/workflow/diagnostic.ts';
import { SetUpStep } from '../../src/contract/schema/runner/setUpSteps.ts';
import { DryRunReply } from '../../src/contract/schema/policy/dryRun.ts';
import { AllowReply, GuardrailList } from '../../src/contract/schema/policy/guardrailView.ts';
import { GcReply, GcSchedule } from '../../src/contract/schema/runner/gc.ts';
import { Investigation } from '../../src/contract/schema/planning/intake.ts';
import { RecordedActs } from '../../src/contract/schema/runner/audit.ts';
import { ListedInsights } from '../../src/contract/schema/workflow/insight.ts';
import { InvariantProof } from '../../src/contract/schema/workflow/invariantProof.ts';
import { Job, JobSummary } from '../../src/contract/schema/job/job.ts';
import { EndedLogins } from '../../src/contract/schema/runner/login.ts';
import { Machine } from '../../src/contract/schema/workflow/machine.ts';
import { MessageList, MessageReceipt } from '../../src/contract/schema/session/message.ts';
import {
  ConformanceReport,
  FoundAuthList,
  PluginHealth,
  PluginList,
  PluginModelList,
  PluginView,
} from '../../src/contract/schema/runner/plugin.ts';
import {
  PullRequest,
  PullRequestList,
  PullRequestThread,
  WhyReply,
} from '../../src/contract/schema/api/replies.ts';
import { JobPullRequest, Review, SvcApproval } from '../../src/contract/schema/forge/review.ts';
import { SubRunReply, SubRunStatus, SubRunWhatIf } from '../../src/contract/schema/job/subRun.ts';
import {
  DecisionEntry,
  DecisionList,
  DecisionReplay,
} from '../../src/contract/schema/policy/decisionEntry.ts';
import { TrackRecord } from '../../src/contract/schema/policy/trackRecord.ts';
import {
  ProposalSummary,
  Proposal,
  ProposalList,
} from '../../src/contract/schema/workflow/proposal.ts';
import { Report } from '../../src/contract/schema/api/report.ts';
import { Pool, PoolList } from '../../src/contract/schema/policy/pool.ts';
import { TrustList, TrustView } from '../../src/contract/schema/workflow/trust.ts';
import { BackupRestored, BackupWritten } from './backupReplies.ts';
import { cloudReplies } from './cloudReplies.ts';
import { notificationReplies } from './notificationReplies.ts';
import { docsReplies } from './docsReplies.ts';
import { scheduleReplies } from './scheduleReplies.ts';
import { RunnerStatus, serviceReplies, TakenOver, UninstallReply } from './runnerReplies.ts';

const text = Type.String();
const texts = Type.Array(text);
const orNull = (schema: TSchema) => Type.Union([schema, Type.Null()]);

const OUTCOMES = [
  'complete',
  'failed',
  'escalated',
  'cancelled',
  'waiting',
  'timeout',
  'detached',
] as const;

/** A new job; `outcome` and `job` are null unless the command waited for its end. */
const CreatedJobReply = Type.Evaluate(
  Type.Intersect([
    CreatedJob,
    Type.Object({ outcome: orNull(Type.Enum([...OUTCOMES])), job: orNull(Job) }),
  ]),
);

const WaitReply = Type.Evaluate(
  Type.Intersect([
    Job,
    Type.Object({ outcome: orNull(Type.Enum([...OUTCOMES, 'incomplete', 'reached'])) }),
  ]),
);

const Ran = Type.Object({
  jobId: text,
  status: text,
  outcome: Type.Enum([...OUTCOMES, 'incomplete']),
  exitCode: Type.Integer(),
  kept: orNull(text),
  job: orNull(Job),
});

/** The action's result, or what it would change where the person at the terminal declined. */
const Action = Type.Union([SubRunReply, SubRunWhatIf]);

const ListedCampaign = Type.Evaluate(
  Type.Intersect([
    JobSummary,
    Type.Object({ subRuns: Type.Array(Type.Object({ name: text, status: SubRunStatus })) }),
  ]),
);

const CommandPlugin = Type.Object({
  name: text,
  version: text,
  type: Type.Enum(['user', 'link']),
  root: text,
  commands: texts,
  isRunnerPlugin: Type.Boolean(),
  problem: orNull(text),
});

const StartReply = Type.Object({ url: text, pid: Type.Integer(), home: text, version: text });

const Schema = Type.Record(Type.String(), Type.Unknown());

const ReleaseReply = Type.Object({
  released: Type.Literal(true),
  pid: Type.Integer({ description: 'Its process, which has ended.' }),
});
const StopReply = Type.Object({
  stopped: Type.Boolean(),
  pid: orNull(Type.Integer()),
});

/** What each command prints with --json, by its id. A text stands for what is not one value. */
export const CLI_REPLIES: Readonly<Record<string, TSchema | string>> = {
  'campaign:cancel': Action,
  'campaign:list': Type.Array(ListedCampaign),
  'campaign:rerun': Action,
  'campaign:show': Campaign,
  'campaign:skip': Action,
  'campaign:unskip': Action,
  'campaign:start': Type.Union([CreatedJobReply, CreateJobBody]),
  cancel: Type.Union([CommandReply, Job]),
  budget: BudgetList,
  'budget:raise': Type.Union([CommandReply, BudgetList]),
  cost: Costs,
  completion: Type.Object({ shell: text, script: text }),
  'config:get': Type.Array(ConfigValue),
  'config:path': Type.Object({ file: text }),
  'config:schema': Schema,
  'config:set': Type.Object({
    file: text,
    key: text,
    keys: texts,
    changed: Type.Boolean(),
    restart: texts,
  }),
  proposals: ProposalList,
  'proposals:apply': Proposal,
  'proposals:approve': Proposal,
  'proposals:reject': Proposal,
  'proposals:show': Proposal,
  decisions: DecisionList,
  'decisions:label': DecisionEntry,
  'decisions:replay': DecisionReplay,
  'decisions:show': DecisionEntry,
  'decisions:track-record': TrackRecord,
  demo: 'the outcome of the job: `jobId`, `status`, `phases`, `prs`, `merges`, `restarts` and `ms`; of campaigns: `jobId`, `campaigns`, `restarts` and `ms`; of a team: `jobs`, `reason` and `ms`.',
  doctor: Type.Object({
    ok: Type.Boolean(),
    checks: Type.Array(
      Type.Object({
        id: text,
        title: text,
        status: Type.Enum(['ok', 'warning', 'error', 'skipped']),
        detail: text,
        fix: orNull(text),
      }),
    ),
  }),
  'exit-codes': Type.Array(Type.Object({ code: Type.Integer(), meaning: text })),
  gc: Type.Union([GcReply, GcSchedule]),
  'guardrail:allow': AllowReply,
  'guardrail:list': GuardrailList,
  'guardrail:test': DryRunReply,
  audit: RecordedActs,
  'insights:list': ListedInsights,
  'insights:promote': ProposalSummary,
  'insights:remove': Type.Object({ job: text, insight: text }),
  'insights:search': ListedInsights,
  init: Type.Object({
    file: text,
    written: Type.Boolean(),
    changes: Type.Array(
      Type.Object({
        key: text,
        before: Type.Unknown(),
        value: Type.Unknown(),
        from: orNull(text),
      }),
    ),
    notes: texts,
    steps: Type.Array(Type.Pick(SetUpStep, ['step', 'state'])),
    restart: texts,
    next: Type.Array(Type.Object({ command: text, why: text })),
    job: orNull(text),
  }),
  job: Type.Union([CreatedJobReply, Estimate, Dispatch]),
  jobs: Type.Array(JobSummary),
  logs: 'One line of JSON for each frame, `{ n, kind, data }`, with the data that the [stream](http.md#get-jobsjobidstream) carries.',
  message: Type.Union([CommandReply, MessageReceipt]),
  messages: MessageList,
  ...cloudReplies,
  open: Type.Union([
    Type.Object({ url: text, expiresAt: text, opened: Type.Boolean() }),
    EndedLogins,
  ]),
  pause: CommandReply,
  stop: StopReply,
  'stop-all': StopAllReply,
  report: Report,
  plan: Type.Object({
    turn: Type.Enum(['done', 'interrupted', 'detached']),
    session: Investigation,
    job: orNull(CreatedJob),
  }),
  'plugin:auth': Type.Object({
    found: FoundAuthList,
    applied: Type.Boolean(),
    restart: texts,
  }),
  'plugin:healthcheck': PluginHealth,
  'plugin:init': Type.Object({ dir: text, files: texts }),
  'plugin:install': PluginView,
  'plugin:list': PluginList,
  'plugin:models': PluginModelList,
  'plugin:test': ConformanceReport,
  'plugin:uninstall': Type.Object({ id: text }),
  plugins: Type.Array(CommandPlugin),
  'plugins:install': CommandPlugin,
  'plugins:link': CommandPlugin,
  'plugins:uninstall': Type.Object({ name: text }),
  'pr:approve': Type.Union([PullRequest, SvcApproval, Type.Null()]),
  'pr:comment': PullRequest,
  'pr:diff': Type.Object({ diff: text }),
  'pr:list': PullRequestList,
  'pr:merge': Type.Union([PullRequest, Type.Null()]),
  'pr:close': PullRequest,
  'pr:reopen': PullRequest,
  'pr:review': Type.Union([Review, Type.Null()]),
  'pr:show': Type.Union([PullRequestThread, JobPullRequest]),
  rerun: CommandReply,
  resume: Type.Union([
    CommandReply,
    Job,
    Type.Array(Type.Object({ jobId: text, problem: orNull(text) })),
  ]),
  'runner:start': StartReply,
  run: Ran,
  'runner:status': RunnerStatus,
  'runner:release': ReleaseReply,
  'runner:stop': StopReply,
  ...serviceReplies,
  backup: BackupWritten,
  restore: BackupRestored,
  uninstall: UninstallReply,
  restart: TakenOver,
  upgrade: orNull(TakenOver),
  start: StartReply,
  checkout: Type.Object({ jobId: text, path: text }),
  status: Job,
  'mcp-bridge': 'Messages of MCP, one a line.',
  tool: 'The result of the tool, which its own schema describes; see [tools](tools.md).',
  'trust:add': TrustView,
  ...notificationReplies,
  accounts: PoolList,
  'accounts:retry': Pool,
  ...docsReplies,
  ...scheduleReplies,
  'trust:list': TrustList,
  'trust:remove': Type.Object({ repo: text }),
  'trust:show': TrustView,
  wait: WaitReply,
  why: WhyReply,
  machine: Type.Union([
    Machine,
    Type.Array(Type.Object({ chart: Type.String(), description: Type.String() })),
  ]),
  'workflow:graph': Machine,
  'workflow:lint': Type.Union([
    Type.Array(Diagnostic),
    Type.Object({
      diagnostics: Type.Array(Diagnostic),
      proofs: Type.Array(Type.Object({ file: text, ...InvariantProof.properties })),
    }),
  ]),
  'workflow:schema': Schema,
  'workflow:simulate': Type.Object({
    outcome: text,
    state: text,
    status: text,
    phase: text,
    waitsFor: texts,
    message: orNull(text),
    took: Type.Number(),
    timeline: Type.Array(Schema),
    coverage: Type.Array(
      Type.Object({ phase: text, visits: Type.Integer(), reached: Type.Boolean() }),
    ),
    failures: Type.Array(Schema),
  }),
};
