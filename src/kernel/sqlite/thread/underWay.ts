import type { ActorRow, Batch, ReceivedRow } from '../../writer.ts';

const toUnderWayKey = (actor: string, source: string, externalId: string): string =>
  JSON.stringify([actor, source, externalId]);

/** What every step asks for from unwritten batches: actors and received deliveries. */
export class UnderWay {
  readonly #actors = new Map<string, ActorRow>();
  readonly #received = new Map<string, ReceivedRow>();

  add({ actors, inbox }: Batch): void {
    for (const actor of actors) this.#actors.set(actor.id, actor);
    for (const row of inbox)
      this.#received.set(toUnderWayKey(row.actor, row.source, row.externalId), row);
  }

  /** The batch is in the database. */
  written({ actors, inbox }: Batch): void {
    // A later batch may have the same actor.
    for (const actor of actors)
      if (this.#actors.get(actor.id) === actor) this.#actors.delete(actor.id);
    for (const { actor, source, externalId } of inbox)
      this.#received.delete(toUnderWayKey(actor, source, externalId));
  }

  /** After one failure all fail. */
  clear(): void {
    this.#actors.clear();
    this.#received.clear();
  }

  actor(id: string): ActorRow | undefined {
    return this.#actors.get(id);
  }

  received(actor: string, source: string, externalId: string): ReceivedRow | undefined {
    if (this.#received.size === 0) return undefined;
    return this.#received.get(toUnderWayKey(actor, source, externalId));
  }
}
