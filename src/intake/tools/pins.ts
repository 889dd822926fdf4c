import { SvcError } from '../../base/errors/errors.ts';
import { resolveBranch } from '../../git/readCommitTree.ts';
import { resolveForge, type Forges } from '../../providers/forges.ts';
import type { ForgeRepo } from '../../contract/forge/forge.ts';

export interface Pin {
  slug: string;
  forge: string;
  ref: string;
  commit: string;
}

/** A pin with the local path of its objects. */
export interface PinnedRepo extends Pin {
  source: ForgeRepo;
}

interface PinsOptions {
  forges: Forges;
  /** Further repositories that the developer has named. */
  isNamed(slug: string): boolean;
  known: readonly Pin[];
  onPinned(pin: Pin): Promise<void>;
}

const MAX_LISTED = 20;

/**
 * The commits that a conversation looks at. That of a repository is fixed at the first look, so
 * that the whole conversation is about one state.
 */
export class Pins {
  readonly #options: PinsOptions;
  readonly #pins = new Map<string, Promise<PinnedRepo>>();

  constructor(options: PinsOptions) {
    this.#options = options;
  }

  /** Slugs of the repositories that need not be named. */
  async listKnown(): Promise<string[]> {
    const lists = await Promise.all(this.#options.forges.all().map((forge) => forge.repos()));
    return [...new Set(lists.flat().map(({ slug }) => slug))].sort();
  }

  /**
   * The repository at its pinned commit. `slug` null = the only known one, or the first that was
   * read. Throws SvcError `not-found`, `forbidden`.
   */
  async of(slug: string | null): Promise<PinnedRepo> {
    const wantedSlug = slug ?? (await this.#findOnly());
    const key = wantedSlug.toLowerCase();
    const knownPin = this.#pins.get(key);
    if (knownPin) return knownPin;
    const pinning = this.#pin(wantedSlug);
    this.#pins.set(key, pinning);
    // A failed pin is tried again at the next look.
    pinning.catch(() => this.#pins.delete(key));
    return pinning;
  }

  async #findOnly(): Promise<string> {
    const [first] = this.#options.known;
    if (first) return first.slug;
    const [pinned] = this.#pins.values();
    if (pinned) return (await pinned).slug;
    const all = await this.listKnown();
    const [only] = all;
    if (only !== undefined && all.length === 1) return only;
    const list = all.slice(0, MAX_LISTED).join(', ');
    throw new SvcError(
      'not-found',
      all.length === 0
        ? 'No repository is known: name one in "repo".'
        : `Name the repository in "repo": ${list}${all.length > MAX_LISTED ? ', …' : ''}.`,
    );
  }

  async #pin(slug: string): Promise<PinnedRepo> {
    const { forges, known, isNamed, onPinned } = this.#options;
    const earlier = known.find((pin) => pin.slug.toLowerCase() === slug.toLowerCase());
    if (!earlier && !isNamed(slug) && !(await this.#isKnown(slug)))
      throw new SvcError(
        'forbidden',
        `${slug} is not a repository of this runner, and the developer has not named it: ask for it.`,
      );
    const forge = resolveForge(forges, { slug, provider: earlier?.forge ?? null });
    const source = await forge.source(earlier?.slug ?? slug, { fresh: earlier === undefined });
    if (!source) throw new SvcError('not-found', `Repository ${slug} not found.`);
    if (earlier) return { ...earlier, source };
    const ref = source.defaultBranch;
    const commit = await resolveBranch(source.path, ref);
    const pin = { slug: source.slug, forge: forge.id, ref, commit };
    await onPinned(pin);
    return { ...pin, source };
  }

  async #isKnown(slug: string): Promise<boolean> {
    const all = await this.listKnown();
    return all.some((one) => one.toLowerCase() === slug.toLowerCase());
  }
}
