import Type from 'typebox';
import { closed } from '../kit/schemaKit.ts';
import { AdoptedJob } from './cloudStatus.ts';

/** A program of svc, as replies name it. */
export const ProgramName = Type.Object({
  version: Type.String(),
  /** Names its code: two builds of one version differ. */
  build: Type.String(),
});
export type ProgramName = Type.Static<typeof ProgramName>;

/** Body of POST /runner/restart. */
export const RestartBody = Type.Object(
  {
    program: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 4096,
        description:
          'Folder of the installed svc that takes over, absolute; only with the token of the runner. Default: the program that the runner was started from.',
      }),
    ),
  },
  closed,
);
export type RestartBody = Type.Static<typeof RestartBody>;

/** Reply of POST /runner/restart: it has begun. */
export const RestartReply = Type.Object({
  id: Type.String({
    description:
      'Names this restart; failed-build.json in the home names it if it was rolled back.',
  }),
  from: ProgramName,
  to: ProgramName,
});
export type RestartReply = Type.Static<typeof RestartReply>;

/** Body of POST /runner/stop. */
export const StopBody = Type.Object(
  {
    handOver: Type.Optional(
      Type.Boolean({
        description:
          'Gives the home up, so that another runner of the team continues its jobs at once. Default: they wait for the next start.',
      }),
    ),
  },
  closed,
);

/** Reply of POST /runner/stop: it has begun. */
export const StopReply = Type.Object({ pid: Type.Integer() });
export type StopReply = Type.Static<typeof StopReply>;

/**
 * Version of what the supervisor and the program that it starts say to each other. Members are only
 * added; another meaning needs another version.
 */
export const HANDOVER_PROTOCOL = 1;

/** An error of svc as it passes between two builds. */
export const Refusal = Type.Object({ code: Type.String(), message: Type.String() });
export type Refusal = Type.Static<typeof Refusal>;

/** What a started program says to its supervisor. */
export const FromSuccessor = Type.Union([
  /** It is loaded, and its configuration is valid. Nothing is open yet. */
  Type.Object({
    type: Type.Literal('ready'),
    protocol: Type.Integer(),
    version: Type.String(),
    /** Version of the schema of state.db that it writes. */
    storeVersion: Type.Integer(),
  }),
  /** A process still has the state: it waits until that one has let go of it, and repeats this. */
  Type.Object({
    type: Type.Literal('waiting'),
    /** For people: which file, and which process has it. */
    reason: Type.String(),
  }),
  /** It ends, and why. */
  Type.Object({ type: Type.Literal('failed'), message: Type.String() }),
  /** Its jobs are back and it answers /health; other requests wait until it is confirmed. */
  Type.Object({ type: Type.Literal('serving'), url: Type.String() }),
  /** Of the process of an adopted home: its jobs that are not over. */
  Type.Object({ type: Type.Literal('jobs'), jobs: Type.Array(AdoptedJob) }),
  /** Of the process of an adopted home: nothing is left to do for it here. It then ends. */
  Type.Object({ type: Type.Literal('over') }),
  /** Someone has asked it to make room; `root` null: for its own program. */
  Type.Object({
    type: Type.Literal('restart'),
    call: Type.Integer(),
    root: Type.Union([Type.String(), Type.Null()]),
  }),
]);
export type FromSuccessor = Type.Static<typeof FromSuccessor>;

/** What the supervisor says to the program that it has started. */
export const ToSuccessor = Type.Union([
  /** The home is free. `port`: of the runner before, for one that takes any. */
  Type.Object({ type: Type.Literal('go'), port: Type.Integer() }),
  /** It is healthy: requests are answered from now on. */
  Type.Object({ type: Type.Literal('confirmed') }),
  /** Stop in order, and end. `handOver`: another runner continues the home at once. */
  Type.Object({ type: Type.Literal('release'), handOver: Type.Optional(Type.Literal(true)) }),
  /** To `restart`: what was begun, or why not. */
  Type.Object({
    type: Type.Literal('answer'),
    call: Type.Integer(),
    reply: Type.Union([RestartReply, Refusal]),
  }),
]);
export type ToSuccessor = Type.Static<typeof ToSuccessor>;
