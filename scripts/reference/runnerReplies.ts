import Type, { type TSchema } from 'typebox';
import { CloudStatus } from '../../src/contract/schema/runner/cloudStatus.ts';
import { Stake } from '../../src/contract/schema/runner/uninstall.ts';

const text = Type.String();
const texts = Type.Array(text);
const orNull = (schema: TSchema) => Type.Union([schema, Type.Null()]);

export const HomeRunner = Type.Object({
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

export const Uninstalled = Type.Object({
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
