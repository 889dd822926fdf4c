import { readMark } from '../../../machines/index.ts';
import type { AgentJob } from '../../../src/contract/job/agentJob.ts';
import type { SubRunInput } from '../../../src/contract/schema/job/subRun.ts';
import type { Chance } from '../chance.ts';
import type { CampaignWorld } from './campaignWorld.ts';
import { moreSpecs } from './plan.ts';

/** What an agent of the simulation can do. */
export interface Hands {
  jobId: string;
  visit: number;
  phase: string;
  world: CampaignWorld;
  chance: Chance;
  sleep(ms: number): Promise<void>;
  coordinate(
    type: string,
    more: Record<string, unknown>,
    command: Parameters<AgentJob['coordinate']>[1],
  ): ReturnType<AgentJob['coordinate']>;
  problems(): Promise<string[]>;
  escalate(message: string): Promise<void>;
  /** Names of the known sub-runs. */
  known(): readonly string[];
}

export type SessionEnd = 'end_turn' | { error: string };

/** Rounds that a parent begins at most. */
const MOST_ROUNDS = 3;

/** False when one is refused: the session is being stopped, or what it adds has run already. */
async function register(hands: Hands, specs: readonly SubRunInput[]): Promise<boolean> {
  for (const spec of specs) {
    const { ok } = await hands.coordinate(
      'register_sub_run',
      { name: spec.name },
      { type: 'subRuns.register', spec },
    );
    if (!ok) return false;
    if (hands.chance.is(0.05)) await hands.sleep(hands.chance.wait(1, 2_000));
  }
  return true;
}

async function finalize(hands: Hands): Promise<void> {
  const problems = await hands.problems();
  if (problems.length > 0)
    hands.world.breaks(`what a parent registers can be finished; ${problems.join('; ')}`);
  const { ok } = await hands.coordinate('finalize_sub_runs', {}, { type: 'subRuns.finalize' });
  // Refused where a person has moved the parent meanwhile, or a sub-run is to run again first.
  if (!ok) hands.world.note(`${hands.jobId}: finalize_sub_runs is refused`);
}

async function plan(hands: Hands): Promise<void> {
  const { world, chance } = hands;
  const { specs } = world.plan;
  // Finished too early, and in a cycle: refused both times, and nothing has happened.
  if (chance.is(0.2)) await hands.coordinate('finalize_sub_runs', {}, { type: 'subRuns.finalize' });
  const [first] = specs;
  if (first && chance.is(0.2)) {
    const registered = await register(hands, [{ ...first, dependsOn: [first.name] }]);
    const { ok } = await hands.coordinate('finalize_sub_runs', {}, { type: 'subRuns.finalize' });
    if (registered && ok) world.breaks('a graph with a cycle cannot be finished');
  }
  if (await register(hands, specs)) await finalize(hands);
}

async function aggregate(hands: Hands): Promise<void> {
  const { world, chance } = hands;
  if (!world.stormy || world.counts.rounds >= MOST_ROUNDS || !chance.is(0.4)) return;
  const [first] = hands.known();
  const graph = world.life?.dispatcher?.context.graph;
  // One that was skipped by the dispatcher has not run, and may be replaced; nor has one that waits to be run again.
  const hasRun =
    graph !== undefined && graph.names.length > 0 && !'upr'.includes(readMark(graph, 0));
  if (hasRun && first !== undefined && chance.is(0.2)) {
    const { ok } = await hands.coordinate(
      'register_sub_run',
      { name: first },
      { type: 'subRuns.register', spec: { name: first, description: 'again' } },
    );
    if (ok) world.breaks(`a sub-run that has been run cannot be registered again; ${first} was`);
  }
  const isTaken = await register(hands, moreSpecs(chance, hands.visit, hands.known()));
  if (isTaken && chance.is(0.9)) await finalize(hands);
}

/** One session of an agent: of the parent, or of a sub-run. */
export async function play(hands: Hands): Promise<SessionEnd> {
  const { world, chance, jobId, phase } = hands;
  const { plan: campaign } = world;
  await hands.sleep(chance.wait(10, 30_000));
  if (jobId === world.parentId) {
    if (phase.startsWith('planning')) await plan(hands);
    else await aggregate(hands);
    return world.storm(0.02) ? { error: 'simulated: the model does not answer' } : 'end_turn';
  }
  if (world.storm(campaign.escalates)) {
    await hands.escalate('I cannot continue.');
    return 'end_turn';
  }
  return world.storm(campaign.fails)
    ? { error: 'simulated: the model does not answer' }
    : 'end_turn';
}
