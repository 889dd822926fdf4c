import { SvcError } from '../../../base/errors/errors.ts';
import type { Settings } from '../../../contract/schema/runner/settings.ts';

/**
 * The folder of the tenant layer, for writers. Writes run in sequence, because each compares
 * versions first; no one reads the layer during a change of several files.
 */
export class TenantFolder {
  readonly #tenant: Pick<Settings['tenant'], 'overlay'>;
  readonly #proposed: string;
  #last: Promise<unknown> = Promise.resolve();
  #change: Promise<unknown> = Promise.resolve();
  readonly #readers = new Set<Promise<void>>();

  /** `tenant` is read again at each use; `proposed`: the folder to suggest if none is configured. */
  constructor(tenant: Pick<Settings['tenant'], 'overlay'>, proposedDir: string) {
    this.#tenant = tenant;
    this.#proposed = proposedDir;
  }

  /** The team decides about proposals for the layer, at its control plane. */
  get isOfTeam(): boolean {
    return this.#tenant.overlay.kind === 'cloudBlob';
  }

  /** Throws SvcError `not-possible-now` where a proposal for the layer could never be applied. */
  checkTakesProposals(): void {
    if (!this.isOfTeam) this.root();
  }

  /** Absolute. Throws SvcError `not-possible-now` if there is no writable folder. */
  root(): string {
    const { overlay } = this.#tenant;
    if (overlay.kind === 'localDir') return overlay.path;
    if (overlay.kind === 'cloudBlob')
      throw new SvcError(
        'not-possible-now',
        "The tenant layer is the overlay of your team, at its control plane. It is changed by proposals that the team applies: svc proposals --team <slug>, or the page Proposals of the team's dashboard.",
      );
    if (overlay.kind === 'gitRemote') {
      throw new SvcError(
        'not-possible-now',
        'The tenant layer is a git repository (tenant.overlay) and is read-only here. Commit the change there; it takes effect within 15 s.',
      );
    }
    throw new SvcError(
      'not-possible-now',
      `No tenant folder is configured, so the team's layer is read-only. Run: svc config set tenant.overlay.kind localDir tenant.overlay.path ${this.#proposed} and start the runner again.`,
    );
  }

  /** Writes after all earlier writes are done. */
  inTurn<T>(write: (root: string) => Promise<T>): Promise<T> {
    const writing = this.#last.then(() => write(this.root()));
    this.#last = writing.catch(() => undefined);
    return writing;
  }

  /**
   * Changes several files that belong together: waits for readers of the layer, and later readers
   * wait for it, so that no one sees half of it.
   */
  together<T>(write: () => Promise<T>): Promise<T> {
    const writing = this.#change.then(() => Promise.all(this.#readers)).then(write);
    this.#change = writing.catch(() => undefined);
    return writing;
  }

  /** Reads the layer before or after such a change. */
  async read<T>(act: () => Promise<T>): Promise<T> {
    await this.#change;
    const writing = act();
    const over: Promise<void> = writing.then(
      () => undefined,
      () => undefined,
    );
    this.#readers.add(over);
    try {
      return await writing;
    } finally {
      this.#readers.delete(over);
    }
  }
}
