import { type SubRunsContext, type SubRunsInput, subRunsChart } from '../../../machines/index.ts';
import type { FailurePolicy } from '../../../src/contract/schema/workflow/workflow.ts';
import { SteppedChart } from './stepChart.ts';

export const PARENT = 'shop-job-1';
const START = Date.UTC(2026, 0, 1);
type Command = 'skip' | 'unskip' | 'cancel' | 'rerun';

/** A dispatcher driven step by step, in the words of those who drive it. */
export class Dispatcher extends SteppedChart<SubRunsContext> {
  constructor(more: Partial<SubRunsInput> = {}) {
    super(subRunsChart, { parentJobId: PARENT, createdAt: START, ...more } satisfies SubRunsInput);
  }

  /** `b>a`: registers b, which waits for a. */
  register(...nodes: string[]): boolean[] {
    return nodes.map((node) => {
      const [name = '', needed] = node.split('>');
      return this.send({
        type: 'subRuns.register',
        spec: { name, description: `does ${name}`, dependsOn: needed?.split(',') ?? [] },
      });
    });
  }

  finalize(cap = 2, policy: FailurePolicy = 'halt-on-failure'): boolean {
    return this.send({ type: 'subRuns.finalize', cap, policy });
  }

  parent(word: 'parked' | 'paused' | 'ended' | 'gone'): boolean {
    return this.send({ type: `parent.${word}` });
  }

  /** The job of a sub-run is made. */
  prepared(name: string, attempt = 1): boolean {
    return this.send({
      type: 'subRun.prepared',
      name,
      attempt,
      jobId: `${name}-job-${attempt}`,
      input: {},
    });
  }

  ended(name: string, outcome = 'complete', message: string | null = null, attempt = 1): boolean {
    return this.send({ type: 'subRun.ended', name, attempt, outcome, message });
  }

  command(command: Command, name: string, more: Record<string, unknown> = {}): boolean {
    return this.send({
      type: `subRuns.${command}`,
      name,
      reason: null,
      by: 'developer',
      params: null,
      ...more,
    });
  }

  get marks(): string {
    return this.context.graph.marks;
  }

  get asked(): string[] {
    return this.effects
      .filter(({ type }) =>
        ['subRun.dispatch', 'subRun.stop', 'actor.start', 'actor.send'].includes(type),
      )
      .map(
        ({ type, params }) => `${type} ${params.name ?? params.id ?? Object(params.event).type}`,
      );
  }

  row(name: string): Record<string, unknown> {
    const row = this.rows('sub_runs').find((one) => one.name === name);
    if (!row) throw new Error(`there is no row ${name}`);
    return row;
  }
}

/** One whose parent waits; what could begin has begun. */
export const dispatching = (
  nodes: string[],
  cap = 2,
  policy: FailurePolicy = 'halt-on-failure',
): Dispatcher => {
  const all = new Dispatcher();
  all.register(...nodes);
  all.finalize(cap, policy);
  all.parent('parked');
  return all;
};
