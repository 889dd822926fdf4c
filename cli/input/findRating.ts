import { Args } from '@oclif/core';
import type { Client } from '../../src/api/client/client.ts';
import { SvcError } from '../../src/base/errors/errors.ts';
import type { DecisionEntry } from '../../src/contract/schema/policy/decisionEntry.ts';

/** Which rating of a job; the newest of a phase where it is left out. */
export const keyArg = Args.string({
  description:
    'Key of the rating, as svc decisions lists it. Default: the newest rating of a phase.',
});

/** Words of a command about a rating: the job, by its flag or first, and then the key. */
export function parseRatingWords({
  argv,
  flags,
}: {
  argv: readonly unknown[];
  flags: { job: string | undefined };
}): { rest: { argv: readonly unknown[]; flags: object }; key: string | undefined } {
  const at = flags.job === undefined ? 1 : 0;
  const key = argv[at];
  return {
    rest: { argv: argv.filter((_, n) => n !== at), flags },
    key: key === undefined ? undefined : String(key),
  };
}

/** The rating with this key, or the newest of a phase. Throws `not-found` or the client's error. */
export async function findRating(
  client: Pick<Client, 'decisions' | 'job'>,
  job: string,
  key: string | undefined,
): Promise<DecisionEntry> {
  const { decisions } = await client.decisions({
    job,
    limit: 1,
    ...(key === undefined ? { site: 'overseer', skipped: 'false' } : { key }),
  });
  const [rating] = decisions;
  if (rating) return rating;
  await client.job(job);
  throw new SvcError(
    'not-found',
    key === undefined
      ? `No phase of ${job} was rated. svc decisions ${job} lists what was asked about it.`
      : `${job} has no rating with the key ${key}. svc decisions ${job} lists its ratings.`,
  );
}
