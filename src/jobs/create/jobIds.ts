import { SvcError } from '../../base/errors/errors.ts';

/** How many following milliseconds are tried when a job id is taken. */
const ID_TRIES = 10_000;

/** How many recent job ids are remembered; the table has the jobs of older ones. */
const REMEMBERED = 4_096;

/**
 * Ids of new jobs: `<service-slug>-job-<epoch ms>`, with the next free millisecond if it is taken.
 * An id is never handed out twice, even while its job is not yet in the table.
 */
export class JobIds {
  readonly #isTaken: (id: string) => boolean;
  readonly #given = new Set<string>();

  constructor(isTaken: (id: string) => boolean) {
    this.#isTaken = isTaken;
  }

  /** Throws SvcError `conflict` if ten thousand milliseconds are taken. */
  next(params: Record<string, unknown>, now: number): { id: string; createdAt: number } {
    const slug = toServiceSlug(params);
    for (let createdAt = now; createdAt < now + ID_TRIES; createdAt++) {
      const id = `${slug}-job-${createdAt}`;
      if (this.#given.has(id) || this.#isTaken(id)) continue;
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
 * The first part of a job id: params.serviceName, else the repository's name, safe for paths and
 * URLs.
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
