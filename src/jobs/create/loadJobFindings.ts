import type { RowReader } from '../../contract/records/rowReader.ts';
import { SvcError } from '../../base/errors/errors.ts';
import { sha256 } from '../../base/system/ids/ids.ts';
import { readAtPath, toListOrEmpty, toStringOrEmpty } from '../../base/json/untrusted.ts';
import type { RowChange } from '../../contract/records/changes.ts';
import type { Tables } from '../../contract/records/tables.ts';
import { FINDINGS_KIND } from '../workspace/artefactFiles.ts';
import type { Blobs } from '../workspace/blobs.ts';

/** Findings of a plan-mode chat that a job starts from. */
export interface JobFindings {
  /** Hash of the text in the chat; it goes into the job's params, and so into its journal. */
  sha256: string;
  /** Written in the commit that starts the job. */
  rows(jobId: string, createdAt: number, phase: string): RowChange[];
  line: string;
}

interface FindingsDeps {
  rows: RowReader;
  blobs: Pick<Blobs, 'put'>;
}

type Investigation = Tables['investigations'];

const createFindingsRefusal = (pointer: string, message: string): SvcError =>
  new SvcError('invalid', 'The params of the job are not valid.', {
    errors: [{ pointer, message }],
  });

const readPinnedCommits = ({ pins }: Investigation): Record<string, string> =>
  Object.fromEntries(
    toListOrEmpty(JSON.parse(pins)).map((pin) => [
      toStringOrEmpty(readAtPath(pin, 'slug')),
      toStringOrEmpty(readAtPath(pin, 'commit')),
    ]),
  );

/** The write-up for the agent: its origin, then exactly the text. */
const formatFindingsDocument = (
  row: Investigation,
  text: string,
  hash: string,
  outside: number,
): string =>
  [
    '---',
    ...(row.findings_by === 'model' && row.findings_cut === 1 ? ['cut: true'] : []),
    `investigation: ${JSON.stringify(row.id)}`,
    `commits: ${JSON.stringify(readPinnedCommits(row))}`,
    `sha256: ${JSON.stringify(hash)}`,
    `outsideSources: ${outside}`,
    '---',
    '',
    text,
  ].join('\n');

const readLinkedJobIds = ({ job_ids: ids }: Investigation): string[] => {
  const parsed: unknown = JSON.parse(ids);
  return Array.isArray(parsed) ? parsed.filter((id) => typeof id === 'string') : [];
};

/** The chat with the job added to its list. */
const linkInvestigationToJob = (row: Investigation, jobId: string): RowChange => ({
  op: 'patch',
  table: 'investigations',
  key: { id: row.id },
  set: { job_ids: JSON.stringify([...new Set([...readLinkedJobIds(row), jobId])]) },
});

/**
 * The findings of the chat that `investigationId` names; null where the params name none. Throws
 * SvcError `invalid` for a chat that does not exist or has no findings, `conflict` where
 * `findingsSha` is that of another text: they were changed since they were shown.
 */
export async function loadJobFindings(
  { rows, blobs }: FindingsDeps,
  { investigationId: id, findingsSha: shownSha }: Readonly<Record<string, unknown>>,
): Promise<JobFindings | null> {
  if (typeof id !== 'string') return null;
  const row = rows.one('investigations', { id });
  if (!row)
    throw createFindingsRefusal(
      '/params/investigationId',
      `is not the id of a plan-mode session: ${id}`,
    );
  const { findings } = row;
  if (findings === null)
    throw createFindingsRefusal(
      '/params/investigationId',
      `has no findings yet: ask for them in session ${id}`,
    );
  const hash = sha256(findings);
  if (shownSha !== undefined && shownSha !== hash)
    throw new SvcError(
      'conflict',
      `The findings of ${id} have changed since they were shown. Read them again.`,
      { data: { reason: 'findings-changed', shown: shownSha, stored: hash } },
    );
  const evidence = rows.all('investigation_evidence', { investigation: id });
  // As people see it: a failed look-up has contributed nothing.
  const read = evidence.filter(({ trust, ok }) => trust === 'outside' && ok === 1);
  const outside = new Set(read.map(({ target }) => target)).size;
  const text = formatFindingsDocument(row, findings, hash, outside);
  const bytes = await blobs.put(new TextEncoder().encode(text));
  return {
    sha256: hash,
    line: `Findings of the plan-mode session ${id} (sha256 ${hash.slice(0, 12)}) are in plan/findings.md.`,
    rows: (jobId, createdAt, phase) => [
      linkInvestigationToJob(row, jobId),
      {
        op: 'put',
        table: 'artefacts',
        row: {
          job_id: jobId,
          id: sha256(`${jobId}/findings`).slice(0, 16),
          at: createdAt,
          phase,
          visit: 0,
          kind: FINDINGS_KIND,
          title: 'Findings',
          mime: 'text/markdown',
          ...bytes,
        },
      },
    ],
  };
}
