import { isAgentPath, isWorkflowPath } from '../../overlay/layerFiles.ts';
import { listWhatRuns } from '../../trust/listWhatRuns.ts';
import { clip } from '../../../base/text/clip.ts';
import { describeCodePoint } from '../../../base/text/codePoints.ts';
import { listUnseenCharacters, writeOutUnseen } from '../../../base/text/escapeHidden.ts';
import { sha256 } from '../../../base/system/ids/ids.ts';
import type { ProposalWarning } from '../../../contract/schema/workflow/proposal.ts';
import {
  readTextBelowFrontMatter,
  readFrontMatterFields,
  type ChangedText,
} from './describeMeaning.ts';
import { findWiderTools, type FoundWarning } from './findWiderTools.ts';
import { findWorkflowWarnings } from './findWorkflowWarnings.ts';

/** Letters and digits that look alike, mapped to one of them. */
const ALIKE: readonly (readonly [RegExp, string])[] = [
  [/[\u0430\u0251]/gu, 'a'],
  [/[\u0435\u0451]/gu, 'e'],
  [/[\u043e\u03bf0]/gu, 'o'],
  [/[\u0440\u03c1]/gu, 'p'],
  [/[\u0441\u03f2]/gu, 'c'],
  [/[\u0445\u03c7]/gu, 'x'],
  [/[\u0443]/gu, 'y'],
  [/[\u0456\u0131\u03b91l|]/gu, 'i'],
  [/rn/gu, 'm'],
  [/vv/gu, 'w'],
  [/[\s._-]+/gu, '-'],
];

const toSeenForm = (name: string): string =>
  ALIKE.reduce(
    (plainName, [like, letter]) => plainName.replace(like, letter),
    name.normalize('NFKC').toLowerCase(),
  );

/** The path among `paths` that looks like this one; undefined = none. */
const findLookAlike = (path: string, paths: readonly string[]): string | undefined =>
  paths.find((one) => one !== path && toSeenForm(one) === toSeenForm(path));

/** Texts with more new lines than this are too long to read in passing. */
const LARGE_LINES = 400;
/** Longer lines have an end that readers do not see, characters. */
const LONG_LINE_CHARS = 1_000;
const MAX_CHARS = 500;
const MAX_NAMED = 20;

const splitSourceLines = (source: string | null): string[] => (source ?? '').split('\n');
const encodeSource = (source: string): Uint8Array => new TextEncoder().encode(source);

/** A block of a skill that the agent's program may run. */
const SHELL_BLOCK = /^```!\s*\n([\s\S]*?)^```/gmu;

/** Programs, hooks, tool servers, URLs and places to write to that were not named before. */
function findNewPrograms({ path, before, after }: ChangedText): FoundWarning[] {
  if (after === null) return [];
  const earlierPrograms = new Set(
    before === null ? [] : listWhatRuns({ path, bytes: encodeSource(before) }),
  );
  const blocks = path.startsWith('.claude/') ? [...after.matchAll(SHELL_BLOCK)] : [];
  const lines = blocks.map(([, block = '']) => block.trim());
  const had = (line: string) => earlierPrograms.has(line) || before?.includes(line) === true;
  return [
    ...listWhatRuns({ path, bytes: encodeSource(after) }).filter(
      (line) => !earlierPrograms.has(line),
    ),
    ...lines.filter((line) => !had(line)),
  ].map((line) => ['runs', `runs or reaches: ${line}`]);
}

/** Markdown comments are invisible on the page, but agents read them. */
const COMMENT = /<!--[\s\S]*?(?:-->|$)/gu;
/** Latin words with Cyrillic or Greek letters in them. */
const TWO_SCRIPTS =
  /[\w.-]*(?:[A-Za-z][\w.-]*[\p{Script=Cyrillic}\p{Script=Greek}]|[\p{Script=Cyrillic}\p{Script=Greek}][\w.-]*[A-Za-z])\w*/gu;
/** How svc itself marks text for agents. */
const OWN_MARKS = /<!--\s*svc:|<\/?(?:untrusted|svc)[\s:>-]/iu;

function findHiddenText({ path, before, after }: ChangedText): FoundWarning[] {
  const warnings: FoundWarning[] = [];
  const had = new Set(splitSourceLines(before));
  const fresh = splitSourceLines(after).filter((line) => !had.has(line));
  const unseen = listUnseenCharacters(fresh.join('\n'));
  if (unseen.length > 0)
    warnings.push([
      'hides',
      `has invisible characters: ${unseen.slice(0, MAX_NAMED).map(describeCodePoint).join(', ')}`,
    ]);
  const earlierComments = new Set(readTextBelowFrontMatter(before, path).match(COMMENT));
  for (const comment of [...(readTextBelowFrontMatter(after, path).match(COMMENT) ?? [])].slice(
    0,
    MAX_NAMED,
  ))
    if (!earlierComments.has(comment))
      warnings.push(['hides', `has a comment that pages do not show: ${comment}`]);
  const mixedWords = [...new Set(fresh.join('\n').match(TWO_SCRIPTS))];
  if (mixedWords.length > 0)
    warnings.push([
      'hides',
      `has words that mix look-alike letters of different scripts: ${mixedWords.slice(0, MAX_NAMED).join(', ')}`,
    ]);
  if (fresh.some((line) => OWN_MARKS.test(line)))
    warnings.push(['hides', "has text that imitates svc's own markers"]);
  const long = fresh.find((line) => line.length > LONG_LINE_CHARS);
  if (long !== undefined)
    warnings.push([
      'hides',
      `has a line of ${long.length} characters, beginning with: ${clip(long, 80)}`,
    ]);
  return warnings;
}

function findLargeChange({ before, after }: ChangedText): FoundWarning[] {
  const had = new Set(splitSourceLines(before));
  const fresh = splitSourceLines(after).filter((line) => !had.has(line)).length;
  return fresh > LARGE_LINES ? [['large', `${fresh} lines are new`]] : [];
}

/**
 * What a person should know about a changed file before approving it. `paths`: every path of the
 * overlay, to find look-alike names. The id of a warning depends only on its content.
 */
export function collectFileWarnings(
  file: ChangedText,
  paths: readonly string[],
): ProposalWarning[] {
  const { path, before, after } = file;
  const [from, to] = [readFrontMatterFields(before, path), readFrontMatterFields(after, path)];
  const other = before === null && after !== null ? findLookAlike(path, paths) : undefined;
  const warnings: FoundWarning[] = [
    ...findNewPrograms(file),
    ...(isAgentPath(path) && after !== null
      ? findWiderTools('the agent', from.tools, to.tools, before === null)
      : []),
    ...(path.startsWith('.claude/skills/') && after !== null
      ? // A skill without the list is allowed nothing more.
        findWiderTools('the skill', from['allowed-tools'] ?? [], to['allowed-tools'] ?? [], false)
      : []),
    ...(isWorkflowPath(path) && after !== null ? findWorkflowWarnings(from, to) : []),
    ...findHiddenText(file),
    ...(other === undefined
      ? []
      : ([['hides', `its name looks like ${other}`]] satisfies FoundWarning[])),
    ...findLargeChange(file),
  ];
  return warnings.map(([kind, says]) => ({
    id: `${kind}-${sha256(`${path}\n${says}`).slice(0, 8)}`,
    kind,
    path,
    says: clip(writeOutUnseen(says.replace(/\n/g, ' ')), MAX_CHARS),
    allow: kind !== 'large',
  }));
}
