import { atTheEnd } from './campaignTruths.ts';
import { CampaignLife } from './campaignLife.ts';
import { CampaignPeople } from './campaignPeople.ts';
import { CampaignWorld } from './campaignWorld.ts';
import { parentPath } from './lanes.ts';

/**
 * Simulated time of the storm, ms, and the most that everything may take to come to an end after
 * it.
 */
const STORM_MS = { from: 30_000, to: 400_000 };
const CALM_MS = 24 * 3_600_000;
/**
 * Commits of the largest campaigns, and some: more are made by actors that answer each other for
 * ever.
 */
const MOST_COMMITS = 5_000;
/** Simulated time in which nothing may be left to be done, ms. */
const GRACE_MS = 20_000;
/** Wait before a request that was not answered is made again, ms. */
const AGAIN_MS = 1_000;

export interface SimulatedCampaign {
  seed: number;
  /** What was found to be false; empty = nothing. */
  broken: readonly string[];
  /** The last things that happened, for a broken one. */
  trail: readonly string[];
  counts: CampaignWorld['counts'];
}

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * Asks for the campaign until it exists, with the same key; the caller does not know whether a lost
 * answer was a yes.
 */
function create(world: CampaignWorld): void {
  const { plan, life } = world;
  if (world.parentId !== null) return;
  world.later(AGAIN_MS, () => create(world));
  if (!life?.ready) return;
  const { policy, approved, interactive, byHand, specs } = plan;
  life
    .create(
      {
        type: 'campaign',
        workflowPath: parentPath(policy, approved),
        params: { interactive, serviceName: 'parent' },
        ...(byHand ? { subRuns: specs } : {}),
      },
      { key: 'create', bodyHash: 'create' },
    )
    .catch((error: unknown) => world.note(`the request failed: ${error}`));
}

/** Ends the process now and then, from outside. */
function threaten(world: CampaignWorld): void {
  world.later(world.chance.wait(200, world.plan.livesMs), () => {
    if (!world.stormy) return;
    world.life?.die('it is killed');
    threaten(world);
  });
}

const isOver = ({ store, parentId, subRuns }: CampaignWorld): boolean =>
  parentId !== null &&
  store.durable.actor(parentId)?.index.activity === 'ended' &&
  [...subRuns.values()].every(({ ended }) => ended);

/** One campaign in a world of its own. The same seed gives the same run. */
export async function simulateCampaign(
  seed: number,
  reported?: (line: string) => void,
): Promise<SimulatedCampaign> {
  const world = new CampaignWorld(seed, reported);
  const { chance, clock, plan } = world;
  const { specs, ...rest } = plan;
  world.note(`${specs.length} sub-runs, ${JSON.stringify(rest)}`);
  world.life = new CampaignLife(world, 1);
  create(world);
  threaten(world);
  new CampaignPeople(world).begin();
  const until = async (at: number, over: () => boolean) => {
    while (world.broken.length === 0 && clock.now() < at && !over()) {
      clock.runNext();
      if (world.counts.commits > MOST_COMMITS)
        world.breaks(`a campaign needs at most ${MOST_COMMITS} commits; the actors loop`);
      await settle();
    }
  };
  const stormEnds = clock.now() + chance.int(STORM_MS.from, STORM_MS.to);
  await until(stormEnds, () => false);
  world.stormy = false;
  world.note('the storm is over');
  const over = () => world.life?.ready === true && isOver(world);
  await until(stormEnds + CALM_MS, over);
  // What was requested just then takes its course.
  await until(clock.now() + GRACE_MS, () => false);
  await until(stormEnds + CALM_MS, over);
  await until(clock.now() + GRACE_MS, () => false);
  if (world.broken.length === 0) atTheEnd(world);
  const { broken, trail, counts } = world;
  if (world.life) world.life.alive = false;
  world.store.close();
  return { seed, broken, trail, counts };
}
