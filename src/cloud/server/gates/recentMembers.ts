import type { Context } from 'koa';
import type { Clock } from '../../../base/time/clock.ts';
import type { CallTeam, Credentials, Person } from '../cloudCall.ts';
import { readLoginHash } from './readLoginHash.ts';

/** How long a member who was let in is remembered, ms. */
export const REMEMBERED_MEMBER_MS = 1_000;
/** Most members that are remembered. */
const MOST_MEMBERS = 5_000;

export interface KnownMember {
  person: Person;
  team: CallTeam;
}

/** Members who were let in a moment ago, by what they called with and the team. They are still checked for each request. */
export class RecentMembers {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #credentials: Pick<Credentials, 'readSecret'>;
  readonly #members = new Map<string, { member: KnownMember; until: number }>();

  constructor(clock: Pick<Clock, 'now'>, credentials: Pick<Credentials, 'readSecret'>) {
    this.#clock = clock;
    this.#credentials = credentials;
  }

  find(ctx: Context, team: string): KnownMember | null {
    const knownMember = this.#members.get(this.#toKey(ctx, team));
    return knownMember !== undefined && knownMember.until > this.#clock.now()
      ? knownMember.member
      : null;
  }

  remember(ctx: Context, team: string, member: KnownMember): void {
    if (this.#members.size >= MOST_MEMBERS) this.#members.clear();
    const until = this.#clock.now() + REMEMBERED_MEMBER_MS;
    this.#members.set(this.#toKey(ctx, team), { member, until });
  }

  forget(ctx: Context, team: string): void {
    this.#members.delete(this.#toKey(ctx, team));
  }

  #toKey(ctx: Context, team: string): string {
    return `${readLoginHash(ctx, this.#credentials)}\n${team}`;
  }
}
