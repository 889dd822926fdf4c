import { SvcError } from '../../base/errors/errors.ts';
import type { ForgeActor, ForgeChange } from '../../contract/forge/forge.ts';
import type { WebUrl } from './describe.ts';
import type { KnownRepo } from './knownRepos.ts';
import type { RowSource } from '../../contract/forge/builtInForge.ts';

export interface LocalForgeWrites {
  repo: KnownRepo;
  rows: RowSource;
  webUrl: WebUrl;
}

/**
 * One operation: reads, acts on the repository, answers the change. Runs alone in its repository.
 */
export type Operation<Args> = (
  service: LocalForgeWrites,
  args: Args,
  actor: ForgeActor,
) => Promise<ForgeChange>;

/** Longest title of a pull request, characters. */
export const MAX_TITLE_LENGTH = 256;
/** Longest body of a pull request or comment, characters. */
export const MAX_BODY_LENGTH = 65_536;

export function checkLocalTitle(title: string): string {
  const line = title.trim();
  if (line === '')
    throw new SvcError('bad-argument', 'title is empty: summarize the pull request in one line.');
  if (/[\r\n\0]/.test(line))
    throw new SvcError('bad-argument', 'title has several lines: move the rest to body.');
  if (line.length > MAX_TITLE_LENGTH)
    throw new SvcError(
      'bad-argument',
      `title has ${line.length} characters; ${MAX_TITLE_LENGTH} are allowed.`,
    );
  return line;
}

export function checkLocalBody(body: string, mayBeEmpty: boolean): string {
  if (!mayBeEmpty && body.trim() === '')
    throw new SvcError('bad-argument', 'body is empty: write the text.');
  if (body.length > MAX_BODY_LENGTH)
    throw new SvcError(
      'bad-argument',
      `body has ${body.length} characters; ${MAX_BODY_LENGTH} are allowed.`,
    );
  return body;
}
