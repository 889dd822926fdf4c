import { flattenUntrustedText } from '../../../machines/index.ts';
import { clip } from '../../base/text/clip.ts';
import type { CheckoutGaps, NamedFiles } from '../../git/readGaps.ts';

/** Longest path of a checkout that is shown, characters. */
const MAX_PATH_CHARS = 80;
const MAX_FILTERS = 5;

/** A text of the repository on one line, without characters that would end its quotes. */
const quoteRepoText = (text: string): string =>
  `\`${clip(flattenUntrustedText(text).replaceAll('`', "'"), MAX_PATH_CHARS)}\``;

const formatNamedFiles = ({ count, examples }: NamedFiles, what: string): string => {
  const exampleList = examples.map(quoteRepoText).join(', ');
  if (count <= examples.length) return exampleList;
  return `${count} ${what}, such as ${exampleList}`;
};

/** What a checkout lacks, one or two sentences per kind; for an agent and for the log. */
export function listGapLines({ submodules, copied, filtered, isShallow }: CheckoutGaps): string[] {
  const lines: string[] = [];
  if (submodules.count > 0)
    lines.push(
      `Submodules are not fetched, and their folders are empty: ${formatNamedFiles(submodules, 'submodules')}.`,
    );
  if (copied.count > 0)
    lines.push(
      `Submodules are files of their recorded commits here, without a repository of their own: ${formatNamedFiles(copied, 'submodules')}. Leave them as they are: git sees no change in them, and none is in a commit.`,
    );
  for (const [name, files] of [...filtered].slice(0, MAX_FILTERS))
    lines.push(
      name === 'lfs'
        ? `Files of Git LFS are pointers here, not their contents: ${formatNamedFiles(files, 'files')}. Leave them as they are: create_pr refuses whole files in their place.`
        : `The filter ${quoteRepoText(name)} does not run here, so its files are as the repository stores them: ${formatNamedFiles(files, 'files')}. Leave them as they are unless the task is about them.`,
    );
  if (filtered.size > MAX_FILTERS)
    lines.push(`Of ${filtered.size - MAX_FILTERS} more filters the same is true.`);
  if (isShallow)
    lines.push('The history is cut, as that of the repository is: older commits are not here.');
  return lines;
}
