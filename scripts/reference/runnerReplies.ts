import Type, { type TSchema } from 'typebox';
import { Report } from '../../src/contract/schema/api/report.ts';
import { NeedsCounts } from '../../src/contract/schema/job/jobNeeds.ts';
import { IsoTime } from '../../src/contract/schema/kit/schemaKit.ts';
import { BudgetView } from '../../src/contract/schema/policy/budget.ts';
import { CostSum } from '../../src/contract/schema/policy/costs.ts';
import { CloudStatus, JobsHolder } from '../../src/contract/schema/runner/cloudStatus.ts';
import { Stake } from '../../src/contract/schema/runner/uninstall.ts';

const text = Type.String();
const texts = Type.Array(text);
const orNull = (schema: TSchema) => Type.Union([schema, Type.Null()]);

const HomeRunner = Type.Object({
  url: text,
  pid: Type.Integer(),
  startedAt: text,
  version: text,
  mode: Type.Enum(['local', 'hybrid']),
  cloud: Type.Optional(CloudStatus),
  build: orNull(text),
});

const ServedControlPlane = Type.Object({
  url: text,
  version: text,
  nodeId: text,
  databaseReachable: Type.Boolean(),
  runnersConnected: orNull(Type.Integer()),
});

const Program = Type.Object({ version: text, build: text });
export const TakenOver = Type.Object({ from: Program, to: Program, url: text });

/** What `svc runner status` prints with --json. */
export const RunnerStatus = Type.Object({
  runner: orNull(HomeRunner),
  work: orNull(
    Type.Union([
      Type.Object({
        jobs: Type.Pick(Report.properties.jobs, ['working', 'queued', 'waiting']),
        needs: NeedsCounts,
        asks: Type.Array(
          Type.Object({
            jobId: text,
            title: text,
            what: text,
            people: texts,
            since: IsoTime,
            command: text,
          }),
        ),
        today: Type.Object({ cost: CostSum, budget: orNull(BudgetView) }),
      }),
      text,
    ]),
  ),
  freeBytes: orNull(Type.Integer()),
  mode: Type.Enum(['local', 'hybrid']),
  scm: Type.Array(text),
  configFile: text,
  home: text,
  workingDir: text,
  intelligenceDir: text,
  holder: orNull(JobsHolder),
});

export const serviceReplies = {
  'service:install': Type.Object({
    name: text,
    manager: text,
    files: texts,
    home: text,
    logFile: text,
    url: orNull(text),
  }),
  'service:uninstall': Type.Object({ files: texts }),
  'service:status': Type.Object({
    name: text,
    manager: text,
    installed: Type.Boolean(),
    enabled: Type.Boolean(),
    running: Type.Boolean(),
    word: text,
    file: text,
    home: text,
    logFile: text,
    runner: Type.Optional(orNull(HomeRunner)),
    controlPlane: Type.Optional(orNull(ServedControlPlane)),
  }),
  'service:logs': Type.Object({ files: texts, lines: texts }),
};

export const UninstallReply = Type.Object({
  done: Type.Boolean(),
  home: text,
  homeIs: Type.Enum(['kept', 'removed', 'none']),
  runner: orNull(Type.Integer()),
  services: texts,
  completion: Type.Array(Type.Object({ file: text, lines: orNull(Type.Array(Type.Integer())) })),
  program: Type.Object({ root: text, command: orNull(text) }),
  database: orNull(text),
  atStake: Type.Array(Stake),
  byHand: texts,
});
