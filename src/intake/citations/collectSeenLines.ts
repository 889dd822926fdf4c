import type { Tables } from '../../contract/records/tables.ts';
import type { SeenLines } from './checkCitedLines.ts';

type EvidenceRow = Tables['investigation_evidence'];

/** Lines of a repository's files that look-ups showed at a commit. */
export const collectSeenLines = (
  rows: readonly EvidenceRow[],
  repo: string,
  commit: string,
): SeenLines[] =>
  rows.flatMap((row) =>
    row.ok === 1 && row.path !== null && row.repo === repo && row.commit_sha === commit
      ? [{ evidence: `E${row.n}`, path: row.path, fromLine: row.from_line, toLine: row.to_line }]
      : [],
  );
