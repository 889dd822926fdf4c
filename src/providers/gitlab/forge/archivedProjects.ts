import type { Clock } from '../../../base/time/clock.ts';
import { readAtPath } from '../../../base/json/untrusted.ts';
import { readOptional } from '../../rest/readOptional.ts';
import type { GitlabClient } from './client.ts';

/** How long the answer is kept whether a project is archived, ms. */
const KEPT_MS = 10 * 60_000;

/** Merge requests do not show whether their project is archived, so projects are asked, rarely. */
export class ArchivedProjects {
  readonly #client: GitlabClient;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #kept = new Map<string, { until: number; isArchived: boolean }>();

  constructor(client: GitlabClient, clock: Pick<Clock, 'now'>) {
    this.#client = client;
    this.#clock = clock;
  }

  /** False where GitLab does not show the project. */
  async has(slug: string): Promise<boolean> {
    const key = slug.toLowerCase();
    const cached = this.#kept.get(key);
    if (cached && cached.until > this.#clock.now()) return cached.isArchived;
    const request = this.#client.rest.getAny(`repository ${slug}`, this.#client.project(slug));
    const isArchived = readAtPath((await readOptional(request)).value, 'archived') === true;
    this.#kept.set(key, { until: this.#clock.now() + KEPT_MS, isArchived });
    return isArchived;
  }
}
