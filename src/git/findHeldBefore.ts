import type { runGit } from './runGit.ts';
import {
  type ObjectFinding,
  type ObjectHit,
  ObjectSearch,
  type SearchedValues,
} from './objectSearch.ts';
import { createObjectReader } from './readObjects.ts';

export type RunHere = (
  args: readonly string[],
  more?: Parameters<typeof runGit>[1],
) => ReturnType<typeof runGit>;

/** Most merge bases and merged commits whose files are compared. */
const MAX_BEGINNINGS = 100;
/** Most bytes of earlier files that are searched; files beyond count as having had no secrets. */
const MAX_BYTES = 256 * 1024 * 1024;

async function findBeginnings(run: RunHere, range: string): Promise<string[]> {
  const { stdout } = await run(['rev-list', '--boundary', '--stdin'], { input: range });
  return stdout
    .split('\n')
    .flatMap((line) => (line.startsWith('-') ? [line.slice(1)] : []))
    .slice(0, MAX_BEGINNINGS);
}

/**
 * What each of these files and folders held at its path before the branch began, by its id: keeping
 * it brings nothing new. One walk over all of them.
 */
export async function findHeldBefore(
  run: RunHere,
  range: string,
  files: readonly ObjectHit[],
  searchedValues: SearchedValues,
): Promise<ReadonlyMap<string, ObjectFinding>> {
  const before = new Map<string, ObjectFinding>();
  if (files.length === 0) return before;
  const beginnings = await findBeginnings(run, range);
  const requests = files.flatMap(({ oid, path }) =>
    path.includes('\n') ? [] : beginnings.map((commit) => ({ oid, name: `${commit}:${path}` })),
  );
  if (requests.length === 0) return before;
  let next = 0;
  await run(['cat-file', '--batch', '--buffer'], {
    input: requests.map(({ name }) => `${name}\n`).join(''),
    maxBytes: MAX_BYTES,
    cutOutput: true,
    onOutput: createObjectReader(
      () => {
        const oid = requests[next]?.oid ?? '';
        next += 1;
        const search = new ObjectSearch(searchedValues);
        return {
          push: (piece) => search.push(piece),
          end() {
            const objectFinding = search.end();
            const earlier = before.get(oid);
            before.set(oid, {
              secrets: new Set([...(earlier?.secrets ?? []), ...objectFinding.secrets]),
              tokens: new Map([...(earlier?.tokens ?? []), ...objectFinding.tokens]),
            });
          },
        };
      },
      () => {
        next += 1;
      },
    ),
  });
  return before;
}
