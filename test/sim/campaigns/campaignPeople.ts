import { readMark } from '../../../machines/index.ts';
import { hashApprovalContent } from '../../../machines/job/rules/approval.ts';
import type { DurableEvent } from '../../../src/kernel/chart.ts';
import { KernelError } from '../../../src/kernel/contract.ts';
import { SvcError } from '../../../src/base/errors/errors.ts';
import type { SubRunAction } from '../../../src/contract/schema/job/subRun.ts';
import type { Chance } from '../chance.ts';
import type { CampaignWorld } from './campaignWorld.ts';

/** How often people look after what waits for them when the storm is over, ms. */
const CARE_MS = 4_000;

/** The people of a campaign: impatient while it storms, helpful afterwards. */
export class CampaignPeople {
  readonly #world: CampaignWorld;
  readonly #chance: Chance;

  constructor(world: CampaignWorld) {
    this.#world = world;
    this.#chance = world.chance.named('people');
  }

  begin(): void {
    this.#bother();
    this.#care();
  }

  #bother(): void {
    const world = this.#world;
    world.later(this.#chance.wait(100, 25_000), () => {
      if (!world.stormy) return;
      if (world.life?.ready) {
        if (this.#chance.is(0.5)) this.#commandSubRun();
        else if (this.#chance.is(0.6)) this.#botherJob();
        else this.#botherParent();
      }
      this.#bother();
    });
  }

  /** Lets on what waits for a person, so that it can come to an end. */
  #care(): void {
    const world = this.#world;
    world.later(CARE_MS, () => {
      const { life } = world;
      if (life?.ready && world.parentId !== null && (!world.stormy || this.#chance.is(0.5))) {
        for (const id of [world.parentId, ...world.subRuns.keys()]) {
          const context = life.job(id)?.context;
          const parked = context?.parked?.kind;
          if (
            parked === undefined ||
            parked === 'subRuns' ||
            parked === 'halted' ||
            (parked === 'paused' && world.storm(0.7))
          )
            continue;
          const approves = context !== undefined && parked === 'approval';
          const answer = approves
            ? { eventKey: 'approve', shown: hashApprovalContent(context) }
            : { eventKey: 'manual-resume' };
          this.#send(id, { type: 'job.resume', ...answer });
        }
        if (life.dispatcher?.value === 'halted' && !world.stormy) this.#decide();
      }
      this.#care();
    });
  }

  #decide(): void {
    const graph = this.#world.life?.dispatcher?.context.graph;
    const broken = graph?.names.filter((_, n) => 'fe'.includes(readMark(graph, n))) ?? [];
    if (broken.length > 0)
      this.#command(this.#chance.pick(['skip', 'rerun', 'cancel']), this.#chance.pick(broken));
  }

  #commandSubRun(): void {
    const names = this.#world.life?.dispatcher?.context.graph.names ?? [];
    if (names.length > 0)
      this.#command(
        this.#chance.pick(['skip', 'unskip', 'rerun', 'rerun', 'cancel']),
        this.#chance.pick(names),
      );
  }

  /** Asks what a command would do, and does it in the same instant. */
  #command(action: SubRunAction, name: string): void {
    const { life, parentId, foreseen, counts } = this.#world;
    const dispatcher = life?.dispatcher;
    if (!life || !dispatcher || parentId === null) return;
    const { facade } = life.campaigns;
    facade.campaign(parentId);
    counts.commands += 1;
    const body = this.#chance.is(0.5) ? { reason: 'because' } : {};
    const forecast = facade.subRunWhatIf(parentId, name, { action, ...body });
    foreseen.push({ seq: dispatcher.seq, type: `subRuns.${action}`, name, said: forecast });
    if (foreseen.length > 20) foreseen.shift();
    const act = {
      skip: facade.skipSubRun,
      unskip: facade.unskipSubRun,
      rerun: facade.rerunSubRun,
      cancel: facade.cancelSubRun,
    }[action];
    this.#world.note(`a person wants to ${action} ${name}: ${forecast.refused ?? forecast.state}`);
    const patch =
      action === 'rerun' && this.#chance.is(0.3) ? { paramsPatch: { note: counts.commands } } : {};
    act(parentId, name, { ...body, ...patch }, { by: 'open' }).catch((error: unknown) =>
      this.#refused(error),
    );
  }

  #botherJob(): void {
    const { subRuns } = this.#world;
    if (subRuns.size === 0) return;
    const id = this.#chance.pick([...subRuns.keys()]);
    const chance = this.#chance;
    const events: DurableEvent[] = [
      { type: 'job.cancel', reason: chance.is(0.5) ? 'not wanted' : null },
      { type: 'job.pause' },
      { type: 'job.resume', eventKey: 'manual-resume' },
      { type: 'job.message', id: `m${this.#world.clock.now()}`, text: 'please', author: 'ann' },
      { type: 'job.rerun', phase: chance.pick(['building', 'building-approved']) },
    ];
    this.#send(id, chance.pick(events));
  }

  #botherParent(): void {
    const world = this.#world;
    const { parentId } = world;
    if (parentId === null) return;
    const chance = this.#chance;
    if (chance.is(0.15)) {
      world.parentMoved = true;
      const phase = chance.pick(['planning', 'planning-approved', 'waiting', 'aggregating']);
      const cancel = { type: 'job.cancel', reason: 'no longer needed' };
      this.#send(parentId, chance.is(0.4) ? cancel : { type: 'job.rerun', phase });
      return;
    }
    const events: DurableEvent[] = [
      { type: 'job.pause' },
      { type: 'job.resume', eventKey: 'manual-resume' },
      { type: 'job.resume', eventKey: 'approve' },
      { type: 'job.message', id: `m${world.clock.now()}`, text: 'please', author: 'ann' },
    ];
    const first = chance.pick(events);
    this.#send(parentId, first);
    // The person changes their mind immediately.
    if (first.type === 'job.pause' && chance.is(0.3))
      this.#send(parentId, { type: 'job.resume', eventKey: 'manual-resume' });
  }

  #send(id: string, event: DurableEvent): void {
    const { life } = this.#world;
    if (!life?.ready) return;
    life.kernel
      .send(id, event)
      .then(({ accepted }) => {
        if (accepted) this.#world.note(`${event.type} of ${id}`);
      })
      .catch((error: unknown) => this.#refused(error));
  }

  #refused(error: unknown): void {
    const known = error instanceof KernelError || error instanceof SvcError;
    if (!known) this.#world.breaks(`every command gets an answer of the documented form: ${error}`);
  }
}
