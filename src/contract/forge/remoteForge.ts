import type {
  Forge,
  ForgeActor,
  ForgeChange,
  ForgeOperation,
  ForgeOperations,
  PrAddress,
} from './forge.ts';
import type { ForgeBudget } from '../schema/forge/forge.ts';

/** A forge behind a network, where a write may have happened though its answer never came. */
export interface RemoteForge extends Forge {
  /** How long after a write the forge may still answer as if it had not happened, ms. */
  consistencyMs: number;
  /** Operations that the forge itself does only once, so that to ask again can do no harm. */
  doesOnce: ReadonlySet<ForgeOperation>;
  /** Checks whether the operation was done under this id; null = it is not visible. */
  find<K extends ForgeOperation>(
    operation: K,
    args: ForgeOperations[K],
    actor: ForgeActor,
  ): Promise<ForgeChange | null>;
  budget(): ForgeBudget;
  /**
   * Asks whether it has a repository. Throws SvcError `not-found` for one that is not there or that
   * the token may not see, another one where it cannot say.
   */
  checkRepository(slug: string): Promise<void>;
  /**
   * Asks it now whose the token is; `detail` is for people. Throws SvcError where the token or the
   * server is wrong.
   */
  healthcheck(): Promise<{ ok: boolean; detail: string }>;
  /**
   * Whether an account belongs to a repository, for events that do not show it. `identities`: what
   * the forge's webhooks name the account by. Left out where the forge's events always show it.
   */
  isMember?(repo: string, identities: readonly string[]): Promise<boolean>;
  /** The next request for news reads these pull requests, whatever is known of them. */
  touch(prs: readonly PrAddress[]): void;
}

export const isRemote = (forge: Forge): forge is RemoteForge => forge.capabilities.remote;
