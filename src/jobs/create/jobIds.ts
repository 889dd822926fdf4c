import { SvcError } from '../../shared/errors/errors.ts';

/** How often a taken job id is answered with the next millisecond. */
const ID_TRIES = 10_000;

/**
 * Job ids handed out at once stay distinct for this many jobs; older ones are in the table by then.
 */
const REMEMBERED = 4_096;

/**
 * Ids of new jobs: `<service-slug>-job-<epoch ms>`, a taken one answered with the next free
 * millisecond. One that was handed out is not handed out again, though its job may not be in the
 * table yet.
 */
export class JobIds {
  readonly #taken: (id: string) => boolean;
  readonly #given = new Set<string>();

  constructor(taken: (id: string) => boolean) {
    this.#taken = taken;
  }

  /** Throws SvcError `conflict` where ten thousand milliseconds are taken. */
  next(params: Record<string, unknown>, now: number): { id: string; createdAt: number } {
    const slug = toServiceSlug(params);
    for (let createdAt = now; createdAt < now + ID_TRIES; createdAt++) {
      const id = `${slug}-job-${createdAt}`;
      if (this.#given.has(id) || this.#taken(id)) continue;
      this.#given.add(id);
      for (const oldest of this.#given) {
        if (this.#given.size <= REMEMBERED) break;
        this.#given.delete(oldest);
      }
      return { id, createdAt };
    }
    throw new SvcError(
      'conflict',
      `No free job ID was found within ${ID_TRIES} milliseconds; send the request again.`,
    );
  }
}

/**
 * The first part of a job id: params.serviceName, else the repository's name, made safe for paths
 * and URLs.
 */
const toServiceSlug = ({ serviceName, repoSlug }: Record<string, unknown>): string => {
  const name =
    typeof serviceName === 'string'
      ? serviceName
      : typeof repoSlug === 'string'
        ? (repoSlug.split('/').at(-1) ?? '')
        : '';
  const slug = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 48)
    .replace(/-+$/, '');
  return slug === '' ? 'svc' : slug;
};
