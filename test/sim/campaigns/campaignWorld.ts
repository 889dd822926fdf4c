import type { SubRunOf } from '../../../machines/index.ts';
import type { OpenStore } from '../../../src/jobs/store/openStore.ts';
import type { SubRunWhatIf } from '../../../src/contract/schema/job/subRun.ts';
import { SimulatedClock } from '../../support/charts/simulatedClock.ts';
import { memoryStore } from '../../support/memoryStore.ts';
import { Chance } from '../chance.ts';
import type { CampaignLife } from './campaignLife.ts';
import { type CampaignPlan, drawPlan } from './plan.ts';

/** Lines of the trail that are kept for a failure's report. */
const TRAIL_LINES = 60;

/** A job of a sub-run, as commits have shown it. */
export interface SimulatedSubRun extends SubRunOf {
  ended: boolean;
  /** A person continued it after its end. */
  reopened: boolean;
}

/** The predicted effect of a command when the dispatcher had that journal number. */
export interface Foreseen {
  seq: number;
  type: string;
  name: string;
  said: SubRunWhatIf;
}

/** Everything that outlives a crash of the runner: the disk, time, and those who look on. */
export class CampaignWorld {
  readonly seed: number;
  readonly chance: Chance;
  readonly plan: CampaignPlan;
  readonly clock = new SimulatedClock();
  readonly store: OpenStore = memoryStore();
  readonly startedAt: number;
  readonly subRuns = new Map<string, SimulatedSubRun>();
  readonly foreseen: Foreseen[] = [];
  readonly broken: string[] = [];
  readonly trail: string[] = [];
  parentId: string | null = null;
  /** A person has moved the parent out of its way: rerun, cancel. */
  parentMoved = false;
  /** False when everything goes well from now on. */
  stormy = true;
  life: CampaignLife | null = null;
  counts = {
    nodes: 0,
    commits: 0,
    crashes: 0,
    commands: 0,
    foreseen: 0,
    rounds: 0,
    halts: 0,
    reopened: 0,
  };
  readonly #reported: ((line: string) => void) | undefined;

  constructor(seed: number, reported?: (line: string) => void) {
    this.seed = seed;
    this.#reported = reported;
    this.chance = new Chance(`campaign ${seed}`);
    this.plan = drawPlan(this.chance.named('plan'));
    this.startedAt = this.clock.now();
    this.counts.nodes = this.plan.specs.length;
  }

  storm(probability: number): boolean {
    return this.stormy && this.chance.is(probability);
  }

  later(ms: number, run: () => void): void {
    this.clock.at(this.clock.now() + ms, run);
  }

  note(line: string): void {
    const text = `${((this.clock.now() - this.startedAt) / 1000).toFixed(3).padStart(9)}  ${line}`;
    this.#reported?.(text);
    this.trail.push(text);
    if (this.trail.length > TRAIL_LINES) this.trail.shift();
  }

  /** Something that must never be. */
  breaks(sentence: string): void {
    this.broken.push(sentence);
    this.note(`BROKEN ${sentence}`);
  }
}
