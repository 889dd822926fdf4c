import Type from 'typebox';
import { nullable } from '../kit/schemaKit.ts';

const Strings = Type.Array(Type.String());

/** A condition of an arrow. */
export const ChartGuard = Type.Object({
  name: Type.String(),
  /** A sentence that is true when the guard passes; the name if no sentence was written. */
  says: Type.String(),
  /** True where its value depends on the event, so that it is unknown before the event arrives. */
  readsEvent: Type.Boolean(),
});
export type ChartGuard = Type.Static<typeof ChartGuard>;

/**
 * What an arrow, an entry or an exit does. `outside`: asked of the world (agents, git, forges),
 * after the commit; `commit`: done by the kernel in the commit (timer, mail, row, frame); `inside`:
 * a change of the actor's own context, and what it decides with it.
 */
export const ChartEffect = Type.Object({
  name: Type.String(),
  kind: Type.Union([Type.Literal('outside'), Type.Literal('commit'), Type.Literal('inside')]),
});
export type ChartEffect = Type.Static<typeof ChartEffect>;

/** An arrow of the chart: where it leads, under which guard, and what it does. */
export const ChartArrow = Type.Object({
  /**
   * Unique in the chart and the same for one version of it: `<path of the state>#<place among its
   * arrows, from 0>`.
   */
  id: Type.String(),
  /** Type of the event; empty for an eventless one, which is taken as soon as its guard passes. */
  event: Type.String(),
  /**
   * Who sends the event, in a word or two; null for an eventless one, and if no sender is named.
   */
  from: nullable(Type.String()),
  /** Dotted paths; empty = it stays where it is. */
  targets: Strings,
  /** True where a state is left and entered again although the arrow leads to it or into it. */
  reenter: Type.Boolean(),
  guard: nullable(ChartGuard),
  effects: Type.Array(ChartEffect),
});
export type ChartArrow = Type.Static<typeof ChartArrow>;

/** A state of the chart with the states in it. */
export const ChartNode = Type.Cyclic(
  {
    ChartNode: Type.Object({
      /** Dotted path from the root; empty for the root itself. */
      path: Type.String(),
      /** Last part of the path; for the root the chart's name. */
      name: Type.String(),
      type: Type.Union([
        Type.Literal('atomic'),
        Type.Literal('compound'),
        Type.Literal('parallel'),
        Type.Literal('final'),
        Type.Literal('history'),
      ]),
      /** Path of the state within that is entered first; null for all but compound states. */
      initial: nullable(Type.String()),
      /** What it is, in one line; null = nothing is said. */
      description: nullable(Type.String()),
      tags: Strings,
      /** What an actor in it waits for; each finishes the sentence "It waits …". */
      waits: Strings,
      entry: Type.Array(ChartEffect),
      exit: Type.Array(ChartEffect),
      /** In the order in which they are asked; those with an event first. */
      arrows: Type.Array(ChartArrow),
      /** Regions of a parallel state, states of a compound one. */
      states: Type.Array(Type.Ref('ChartNode')),
    }),
  },
  'ChartNode',
);
export type ChartNode = Type.Static<typeof ChartNode>;

/**
 * A chart of the system: that of a kind of actor, or a workflow drawn as one. Enough to draw it
 * without knowing us.
 */
export const Machine = Type.Object({
  /** Id: `job` for the chart of jobs, the path of the file for a workflow. */
  chart: Type.String(),
  kind: Type.Union([Type.Literal('actor'), Type.Literal('workflow')]),
  label: Type.String(),
  /** What runs by it, in a sentence or two; empty = nothing is said. */
  description: Type.String(),
  /** Raised with every change that stored snapshots do not survive unaided; 1 for a workflow. */
  version: Type.Integer(),
  /** Every version up to this one, oldest first, and what it brought. */
  versions: Type.Array(Type.Object({ version: Type.Integer(), says: Type.String() })),
  definition: ChartNode,
});
export type Machine = Type.Static<typeof Machine>;

/** Reply of GET /machines: charts of actors first, then workflows. */
export const MachineList = Type.Object({ machines: Type.Array(Machine) });
export type MachineList = Type.Static<typeof MachineList>;

/**
 * Reply of GET /jobs/:jobId/machine: the chart that runs the job, the job's current state in it,
 * and its workflow.
 */
export const MachineReply = Type.Object({
  ...Machine.properties,
  /** Dotted paths of the leaf states that it is in. */
  state: Strings,
  /** Types of the events that it could take now. */
  accepts: Strings,
  /**
   * Transitions out of its current state: true = open, `depends` = only the event itself can tell.
   */
  open: Type.Array(
    Type.Object({
      arrow: Type.String(),
      open: Type.Union([Type.Literal(true), Type.Literal('depends')]),
    }),
  ),
  /**
   * The workflow that the job follows, drawn from its table, and from where the instructions of its
   * agents, as they are now, send them by `tool.goto_phase`; and the phase that it is in.
   */
  workflow: Machine,
  phase: Type.String(),
});
export type MachineReply = Type.Static<typeof MachineReply>;
