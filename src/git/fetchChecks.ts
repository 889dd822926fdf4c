/**
 * Faults of old objects that every git can read: times and names that early programs wrote, and
 * modes with a leading zero. Users cannot change a history, so these are not a reason to refuse it.
 * Names and links that are dangerous on disk are still refused.
 */
const HARMLESS = [
  'badDate',
  'badDateOverflow',
  'badEmail',
  'badName',
  'badTimezone',
  'missingEmail',
  'missingNameBeforeEmail',
  'missingSpaceBeforeDate',
  'missingSpaceBeforeEmail',
  'missingTaggerEntry',
  'multipleAuthors',
  'zeroPaddedDate',
  'zeroPaddedFilemode',
];

/** Arguments of a git that fetches: objects are checked, see {@link HARMLESS}. */
export const FETCH_CHECKS: readonly string[] = [
  'fetch.fsckObjects=true',
  ...HARMLESS.map((fault) => `fetch.fsck.${fault}=warn`),
].flatMap((setting) => ['-c', setting]);
