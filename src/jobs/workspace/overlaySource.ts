import type { TreeFiles } from '../../workflows/overlay/buildRepoLayer.ts';

/** Where a team overlay comes from that other people can change. */
export interface OverlaySource {
  /** For people, and for trust; without a login. */
  readonly address: string;
  /** Name under which people trust what the overlay would run. */
  readonly trustName: string;
  /** Asks for the newest state, and answers what names it. */
  fetch(): Promise<string>;
  /** The files of a state that is on this disk. Throws SvcError for one that is not, or cannot be read. */
  read(revision: string): Promise<TreeFiles>;
  /** Keeps a state as usable: it stays on this disk. */
  keep(revision: string): Promise<void>;
  /** The newest state that was kept; null = none. */
  good(): Promise<string | null>;
  /** A state in words, such as `commit 3f9a…`. */
  describe(revision: string): string;
  /** The origin of the layer. */
  toOrigin(revision: string): string;
}
